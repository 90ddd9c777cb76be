// The module UIKit: the values that a camera app's model code touches. Pictures over Core Graphics, the phone's orientation and battery, the
// state of the app, haptics that are recorded. There are no views. A test scripts and reads them with `UIKitConditions`. Coverage.md
// lists what there is.
@_exported import Combine
@_exported import CoreImage
@_exported import CoreVideo
@_exported import Foundation
@_exported import ImageIO
@_exported import QuartzCore
// Not exported: as on a phone, its types want an import of their own, and members of others, such as a URL's, do not.
import UniformTypeIdentifiers
