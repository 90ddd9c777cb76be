// The plane's geometry: Foundation has points, sizes and rectangles, and `CGAffineTransform` lies in the lowest module of the package, as
// every module needs it, as do bitmaps, which are the pictures of photos: CGImage, CGContext, CGColorSpace. There is no drawing here.
@_exported import CoreVideo
@_exported import Foundation
