import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Media

@Suite("Bad footage gets one clear error") struct BadInputTests {
    /// The error of reading all frames of a clip, with the scratch directory's name taken out; nil when there is none.
    static func error(_ scratch: Scratch, _ open: () throws -> any FrameSource) -> (code: MediaError.Code, text: String)? {
        do {
            let source = try open()
            while try source.nextFrame() != nil {}
            return nil
        } catch let error as MediaError {
            return (error.code, error.description.replacingOccurrences(of: scratch.path + "/", with: ""))
        } catch {
            return (.unsupported, "not a MediaError: \(error)")
        }
    }

    static func expect(
        _ scratch: Scratch, _ code: MediaError.Code, _ text: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ open: () throws -> any FrameSource
    ) {
        let seen = error(scratch, open)
        #expect(seen?.code == code, sourceLocation: sourceLocation)
        #expect(seen?.text == text, sourceLocation: sourceLocation)
    }

    @Test("a missing file")
    func missing() throws {
        let scratch = try Scratch()
        Self.expect(scratch, .missingFile, "no.mp4: there is no such file") { try VideoFileSource(path: scratch("no.mp4")) }
        let error = #expect(throws: MediaError.self) { try PictureFile.read(scratch("no.png")) }
        #expect(error?.code == .missingFile)
        let directory = #expect(throws: MediaError.self) { try PictureFile.read(scratch.path) }
        #expect(directory?.reason == "is a directory, not a file")
    }

    @Test("a file that is no footage")
    func text() throws {
        let scratch = try Scratch()
        try "these are words, not pictures".write(toFile: scratch("a.txt"), atomically: false, encoding: .utf8)
        Self.expect(
            scratch, .unknownFormat,
            "a.txt: is no video or picture FFmpeg can open, or it is damaged (FFmpeg: Invalid data found when processing input)"
        ) { try VideoFileSource(path: scratch("a.txt")) }
        try Data().write(to: URL(fileURLWithPath: scratch("empty.png")))
        #expect(throws: MediaError.self) { try PictureFile.read(scratch("empty.png")) }
    }

    @Test("an animated WebP, of which FFmpeg reads nothing")
    func animatedWebP() throws {
        let scratch = try Scratch()
        // Two pictures of 16x16, as libwebp writes them.
        let file = """
            UklGRhYBAABXRUJQVlA4WAoAAAACAAAADwAADwAAQU5JTQYAAAD/////AQBBTk1GlAAAAAAAAAAAAA8AAA8AAPQBAAJWUDggfAAAAHACAJ0BKhAAEAAJAKwlsAJ0OsA3oj2KwNxuSAAA\
            /q0h715mC/YmxwPCNezN0cAGirwerPwxSAsDhE/WRiTUSvwflDX1ypCeaaUwJ6zop9JkyrxGCgF/zyYcXt9ljt40VULRlJyxGB5vm9C90a/wyv7jGaW/3uv8BB6oAABBTk1GTgAAAAAA\
            AAYAAA8AAAIAAPQBAABWUDggNgAAADQCAJ0BKhAAAwAAAKwlsAJ0cwEz/gSQwYMAAP5U4/wR7Lbftvtb9jbtJNt7j7teo2kcKtYAAA==
            """
        try #require(Data(base64Encoded: file)).write(to: URL(fileURLWithPath: scratch("a.webp")))
        Self.expect(scratch, .unsupported, "a.webp: is an animated WebP, which FFmpeg cannot decode; convert it to a GIF or a video first") {
            try VideoFileSource(path: scratch("a.webp"))
        }
    }

    @Test("a file with sound only")
    func soundOnly() throws {
        let scratch = try Scratch()
        try Samples.silentWAV.write(to: URL(fileURLWithPath: scratch("a.wav")))
        Self.expect(scratch, .noVideoStream, "a.wav: holds no video; give a file with a video stream") { try VideoFileSource(path: scratch("a.wav")) }
    }

    @Test("a codec nobody knows")
    func unknownCodec() throws {
        let scratch = try Scratch()
        try MovieTests.write(scratch("a.mp4"))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: scratch("a.mp4")))
        let entry = try #require(bytes.range(of: Data("avc1".utf8), in: 64..<bytes.count))
        bytes.replaceSubrange(entry, with: Data("zzzz".utf8))
        try bytes.write(to: URL(fileURLWithPath: scratch("b.mp4")))
        Self.expect(scratch, .unknownCodec, "b.mp4: is coded as 'zzzz', which this FFmpeg cannot decode; convert it first") {
            try VideoFileSource(path: scratch("b.mp4"))
        }
    }

    /// One file of each container, with 40 frames in the MP4.
    static func whole(_ name: String) throws -> Data {
        let scratch = try Scratch()
        try MovieTests.write(scratch("whole.mp4"), frames: 40)
        return name == "a.mp4" ? try Data(contentsOf: URL(fileURLWithPath: scratch("whole.mp4"))) : name == "a.mkv" ? Samples.red601 : Samples.gray16
    }

    @Test("a movie cut anywhere is told at once", arguments: ["a.mp4", "a.mkv", "b.mkv"])
    func truncated(name: String) throws {
        let scratch = try Scratch()
        let bytes = try Self.whole(name)
        for length in stride(from: 70, to: bytes.count, by: bytes.count / 60) + [bytes.count - 1] {
            try bytes.prefix(length).write(to: URL(fileURLWithPath: scratch(name)))
            let error = #expect(throws: MediaError.self) { try VideoFileSource(path: scratch(name)) }
            #expect(error?.code == .truncated)
            #expect(error?.reason.hasPrefix("is cut short: it has \(length) bytes, but its headers promise ") == true)
        }
    }

    @Test("a movie that lies about its length is found out when its frames end", arguments: [0.3, 0.6, 0.9])
    func emptiedMovie(part: Double) throws {
        let scratch = try Scratch()
        var bytes = try Self.whole("a.mp4")
        let media = try #require(bytes.range(of: Data("mdat".utf8)))
        // The box ends where the file ends, but the index still lists all frames.
        let length = media.upperBound + Int(part * Double(bytes.count - media.upperBound))
        let size = UInt32(length - media.lowerBound + 4)
        for byte in 0..<4 { bytes[media.lowerBound - 4 + byte] = UInt8(truncatingIfNeeded: size >> UInt32(24 - 8 * byte)) }
        try bytes.prefix(length).write(to: URL(fileURLWithPath: scratch("cut.mp4")))
        let seen = try #require(Self.error(scratch) { try VideoFileSource(path: scratch("cut.mp4")) })
        #expect([.corrupt, .truncated].contains(seen.code))
        #expect(
            seen.text.hasPrefix("cut.mp4: is damaged or cut short at frame ") || seen.text.hasPrefix("cut.mp4: is cut short: it ends after frame "))
    }

    @Test("a movie without its index")
    func noIndex() throws {
        let scratch = try Scratch()
        let bytes = try Self.whole("a.mp4")
        let index = try #require(bytes.range(of: Data("moov".utf8)))
        try bytes.prefix(index.lowerBound - 4).write(to: URL(fileURLWithPath: scratch("cut.mp4")))
        Self.expect(scratch, .unknownFormat, "cut.mp4: is no video or picture FFmpeg can open, or it is damaged (FFmpeg: moov atom not found)") {
            try VideoFileSource(path: scratch("cut.mp4"))
        }
    }

    @Test("damage within a movie says at which frame")
    func damaged() throws {
        let scratch = try Scratch()
        try MovieTests.write(scratch("whole.mp4"), frames: 40, width: 160, height: 90)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: scratch("whole.mp4")))
        let middle = bytes.count * 3 / 4
        for offset in 0..<200 { bytes[middle + offset] = UInt8(truncatingIfNeeded: offset &* 37) }
        try bytes.write(to: URL(fileURLWithPath: scratch("bad.mp4")))
        let seen = try #require(Self.error(scratch) { try VideoFileSource(path: scratch("bad.mp4")) })
        #expect(seen.code == .corrupt)
        #expect(seen.text.hasPrefix("bad.mp4: is damaged or cut short at frame "), "\(seen.text)")
    }

    @Test("a truncated PNG")
    func truncatedPNG() throws {
        let scratch = try Scratch()
        try PictureFile.writePNG(Picture.bgra(), to: scratch("a.png"))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch("a.png")))
        for part in [0.3, 0.6, 0.9] {
            try bytes.prefix(Int(Double(bytes.count) * part)).write(to: URL(fileURLWithPath: scratch("cut.png")))
            let error = #expect(throws: MediaError.self) { try PictureFile.read(scratch("cut.png")) }
            #expect(error?.code == .corrupt, "\(part)")
        }
    }

    @Test("a colour picture given as disparity")
    func colourDisparity() throws {
        let scratch = try Scratch()
        try PictureFile.writePNG(Picture.bgra(), to: scratch("a.png"))
        let error = #expect(throws: MediaError.self) { try PictureFile.readDisparity(scratch("a.png")) }
        #expect(error?.reason == "is a colour picture (pixel 1, 0); disparity is read from grey (best: 16-bit grey PNG)")
    }
}
