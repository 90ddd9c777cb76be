// The module SwiftUI: the values and property wrappers that model code touches, so that files compile which import SwiftUI for them. There are no views,
// and nothing is drawn or animated. Coverage.md lists what there is.
@_exported import Combine
@_exported import CoreVideo
@_exported import Foundation
@_exported import Observation
@_exported import UIKit
