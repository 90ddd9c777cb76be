import Foundation
import Testing
import UniformTypeIdentifiers

@Suite("Types of content")
struct UTTypeTests {
    @Test("are found by extension and MIME type, whatever the case, among the kinds of another")
    func lookup() {
        #expect(
            UTType(filenameExtension: "JPG") == .jpeg
                && UTType(mimeType: "video/quicktime") == .quickTimeMovie)
        #expect(
            UTType(filenameExtension: "mov", conformingTo: .image) == nil
                && UTType(filenameExtension: "nothing") == nil)
        #expect(UTType("public.png") == .png && UTType("public.unknown") == nil)
        #expect(
            UTType.heic.preferredFilenameExtension == "heic"
                && UTType.mpeg4Movie.preferredMIMEType == "video/mp4")
    }

    @Test("know the kinds that they are of")
    func conformance() {
        #expect(
            UTType.jpeg.conforms(to: .image) && UTType.heic.conforms(to: .heif)
                && UTType.jpeg.conforms(to: .jpeg))
        #expect(
            !UTType.jpeg.conforms(to: .movie) && UTType.movie.isSupertype(of: .mpeg4Movie)
                && !UTType.movie.isSupertype(of: .movie))
        #expect(UTType.png.isSubtype(of: .data) && UTType.png.supertypes.contains(.content))
    }

    @Test("of the app's own conform to what they were said to")
    func declared() {
        let type = UTType(exportedAs: "com.example.raw", conformingTo: .rawImage)
        #expect(type.conforms(to: .image) && type.conforms(to: .data) && !type.conforms(to: .movie))
        #expect(type == UTType(importedAs: "com.example.raw"))
    }

    @Test("give a file's name its extension")
    func names() {
        #expect(
            URL(fileURLWithPath: "/a/take").appendingPathExtension(for: .quickTimeMovie).lastPathComponent
                == "take.mov")
        #expect(
            URL(fileURLWithPath: "/a/take").appendingPathExtension(for: .movie).lastPathComponent
                == "take")
        var folder = URL(fileURLWithPath: "/a", isDirectory: true)
        #expect(folder.appendingPathComponent("take", conformingTo: .mpeg4Movie).path == "/a/take.mp4")
        #expect(folder.appendingPathComponent("take.jpg", conformingTo: .jpeg).path == "/a/take.jpg")
        folder.appendPathComponent("take", conformingTo: .jpeg)
        #expect(folder.path == "/a/take.jpeg")
    }
}
