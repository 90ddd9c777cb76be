// The module CoreImage: pictures as recipes of filters, worked out on the processor when a context renders them. Colours are worked on as linear
// light of sRGB's primaries in 32-bit floats, alpha multiplied in, unless a context's working space is `NSNull()`: then as they are stored. There are
// the filters that camera code uses; `CIFilter(name:)` of another is nil. Coverage.md lists what there is.
//
//     let picture = CIImage(cvPixelBuffer: buffer).oriented(.right).applyingGaussianBlur(sigma: 4)
//     CIContext().render(picture, to: target)
@_exported import class AVFCapture.CIAztecCodeDescriptor
@_exported import class AVFCapture.CIBarcodeDescriptor
@_exported import class AVFCapture.CIDataMatrixCodeDescriptor
@_exported import class AVFCapture.CIPDF417CodeDescriptor
@_exported import class AVFCapture.CIQRCodeDescriptor
@_exported import CoreVideo
@_exported import Foundation
@_exported import ImageIO
@_exported import Metal
