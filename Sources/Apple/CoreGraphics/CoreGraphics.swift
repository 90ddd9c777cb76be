// The plane's geometry: Foundation has points, sizes and rectangles, and `CGAffineTransform` lies in the lowest module of the package, as
// every module needs it. There is no drawing here: no CGImage, no CGContext.
@_exported import CoreVideo
@_exported import Foundation
