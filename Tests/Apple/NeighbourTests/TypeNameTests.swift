import CoreMedia
import MobileCoreServices
import Testing

@Suite("An older name")
struct TypeNameTests {
    @Test("of a type conforms as the newer one does")
    func types() {
        #expect(UTTypeConformsTo(kUTTypeJPEG, kUTTypeImage) && UTTypeConformsTo(kUTTypeQuickTimeMovie, kUTTypeMovie))
        #expect(!UTTypeConformsTo(kUTTypeJPEG, kUTTypeMovie) && UTTypeEqual(kUTTypeMPEG4, "Public.MPEG-4" as CFString))
        let movie = UTTypeCreatePreferredIdentifierForTag(kUTTagClassFilenameExtension, "mov" as CFString, nil)?.takeRetainedValue()
        #expect(movie as String? == kUTTypeQuickTimeMovie as String)
        let mime = UTTypeCopyPreferredTagWithClass(kUTTypePNG, kUTTagClassMIMEType)?.takeRetainedValue()
        #expect(mime as String? == "image/png")
        #expect(UTTypeCopyPreferredTagWithClass("no.such" as CFString, kUTTagClassMIMEType) == nil)
    }

    @Test("of a pixel format is Core Video's")
    func pixelFormats() throws {
        #expect(kCMPixelFormat_32BGRA == 0x4247_5241 && kCMPixelFormat_32ARGB == kCVPixelFormatType_32ARGB)
        var description: CMFormatDescription?
        CMVideoFormatDescriptionCreate(
            allocator: nil, codecType: kCMPixelFormat_32BGRA, width: 64, height: 36, extensions: nil, formatDescriptionOut: &description)
        #expect(try #require(description).presentationDimensions() == CGSize(width: 64, height: 36))
    }
}
