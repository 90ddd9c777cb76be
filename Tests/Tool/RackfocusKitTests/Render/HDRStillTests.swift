import CoreVideo
import Foundation
import Media
import Pipeline
import TestSupport
import Testing

@testable import RackfocusKit

@Suite("A still of high dynamic range through the lens")
struct HDRStillTests {
    /// Chunk `cICP` of a PNG file, checksum and all, by another program (zlib): BT.2020 with PQ, with HLG, and P3 with PQ.
    private static let marks = [
        "PQ": "0000000463494350091000014d2323fe", "HLG": "0000000463494350091200014ea7f790", "P3": "00000004634943500c1000017afdd3cc",
    ]

    private func bytes(_ hexadecimal: String) -> Data {
        let digits = Array(hexadecimal)
        return Data(stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16)! })
    }

    /// Writes a grey picture with one bright pixel as PNG with a mark, and its map, near at the left.
    private func write(_ mark: String, grey: UInt16, in scratch: Scratch) throws {
        let picture = CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_64RGBALE)
        let map = CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        for y in 0..<36 {
            let (row, depth) = (picture.plane(0).row(y, as: UInt16.self), map.plane(0).row(y, as: Float.self))
            for x in 0..<64 {
                for channel in 0..<4 { row[4 * x + channel] = channel == 3 ? 65535 : x == 52 && y == 18 ? 60000 : grey }
                depth[x] = x < 32 ? 0.75 : 0.25
            }
        }
        try Still.write(picture, to: scratch("plain.png"))
        try PictureFile.writePNG(DisparityMap(buffer: map), range: 0...1, to: scratch("map.png"))
        var file = try Data(contentsOf: URL(fileURLWithPath: scratch("plain.png")))
        file.insert(contentsOf: bytes(try #require(Self.marks[mark])), at: 33)
        try file.write(to: URL(fileURLWithPath: scratch("in.png")))
    }

    private func job(_ scratch: Scratch, _ image: String, to output: String) -> StillJob {
        StillJob(
            image: scratch(image), depth: .disparity(scratch("map.png"), range: nil), focus: .disparity(0.75),
            blur: .perDisparity(24), lens: BokehOptions(highlights: 0), output: scratch(output), gpu: nil, replacesExisting: false)
    }

    private func code(_ picture: CVPixelBuffer, _ x: Int, _ y: Int = 18, channel: Int = 0) -> Int {
        Int(picture.plane(0).row(y, as: UInt16.self)[4 * x + channel])
    }

    // 203 cd/m² in PQ and 75 % of HLG are white.
    @Test("in PNG comes out marked as it was, blurred as the light that it is", arguments: [("PQ", UInt16(38_056)), ("HLG", UInt16(49_151))])
    func marked(mark: String, white: UInt16) throws {
        let scratch = try Scratch()
        try write(mark, grey: white, in: scratch)
        #expect(try Still.read(scratch("in.png")).isHDR)
        try job(scratch, "in.png", to: "out.png").run()
        let file = try Data(contentsOf: URL(fileURLWithPath: scratch("out.png")))
        #expect(file[33..<49] == bytes(try #require(Self.marks[mark])))
        let drawn = try Still.read(scratch("out.png")).image
        #expect(code(drawn, 10) == Int(white))
        #expect(code(drawn, 52) < 60000 - 5000, "the spot is spread: \(code(drawn, 52))")
        // Over some 113 pixels: of codes that were averaged 194 or 96 would remain.
        #expect(code(drawn, 49) > Int(white) + (mark == "PQ" ? 500 : 130), "and shines around: \(code(drawn, 49))")
        try job(scratch, "in.png", to: "out.exr").run()
        let light = try Still.read(scratch("out.exr")).image
        for channel in 0..<3 { #expect(abs(code(light, 10, channel: channel) - 38_056) < 24, "white is 1: \(code(light, 10, channel: channel))") }
    }

    @Test("as EXR keeps its primaries and names them, which a second pass keeps; another format refuses what it cannot say")
    func chromaticities() throws {
        let scratch = try Scratch()
        try write("PQ", grey: 30_000, in: scratch)
        try job(scratch, "in.png", to: "a.exr").run()
        try job(scratch, "a.exr", to: "b.exr").run()
        // CIE 1931 x and y of BT.2020's red, as the file has them.
        let red: [UInt8] = [0x7D, 0x3F, 0x35, 0x3F, 0x06, 0x81, 0x95, 0x3E]
        for name in ["a.exr", "b.exr"] {
            let file = try Data(contentsOf: URL(fileURLWithPath: scratch(name)))
            let start = try #require(file.range(of: Data("chromaticities\0chromaticities\0".utf8))).upperBound + 4
            #expect([UInt8](file[start..<start + 8]) == red, "\(name)")
        }
        let (once, twice) = (try Still.read(scratch("a.exr")).image, try Still.read(scratch("b.exr")).image)
        #expect(abs(code(once, 10) - code(twice, 10)) < 24)
        let refusal = #expect(throws: MediaError.self) { try job(scratch, "a.exr", to: "c.png").run() }
        #expect(refusal?.description.hasSuffix("has other primaries than BT.709: name it .exr") == true, "\(refusal?.description ?? "")")
    }

    @Test("of odd size keeps its mark; a gain map is told of")
    func oddAndGain() throws {
        let scratch = try Scratch()
        try write("PQ", grey: 30_000, in: scratch)
        let picture = CVPixelBuffer(width: 63, height: 35, pixelFormat: kCVPixelFormatType_64RGBALE)
        picture.attach(PictureColors(primaries: 9, transfer: 16, matrix: 9))
        let made = EvenPicture(picture)
        #expect(made.buffer.size == (64, 36) && PictureColors(attachedTo: made.buffer).isHDR)
        #expect(PictureColors(attachedTo: made.trimmed(made.buffer)).isHDR)
        var file = try Data(contentsOf: URL(fileURLWithPath: scratch("plain.png")))
        try file.write(to: URL(fileURLWithPath: scratch("none.png")))
        #expect(try Still.read(scratch("none.png")).remarks == [])
        file += Data("urn:com:apple:photo:2020:aux:hdrgainmap".utf8)
        try file.write(to: URL(fileURLWithPath: scratch("gain.png")))
        let remarks = try Still.read(scratch("gain.png")).remarks
        #expect(remarks.count == 1 && remarks[0].contains("gain.png: its HDR gain map is left out"), "\(remarks)")
    }

    @Test("is refused by name: as TIFF, and with other primaries")
    func refusals() throws {
        let scratch = try Scratch()
        try write("PQ", grey: 30_000, in: scratch)
        let tiff = #expect(throws: MediaError.self) { try job(scratch, "in.png", to: "out.tiff").run() }
        #expect(
            tiff?.description.hasSuffix("out.tiff: cannot say that its picture is PQ or HLG: name it .png or .exr") == true,
            "\(tiff?.description ?? "")")
        #expect(!FileManager.default.fileExists(atPath: scratch("out.tiff")))
        let other = try Scratch()
        try write("P3", grey: 30_000, in: other)
        let primaries = #expect(throws: MediaError.self) { try Still.read(other("in.png")) }
        #expect(primaries?.description.contains("is PQ with the primaries 12 of H.273") == true, "\(primaries?.description ?? "")")
    }

    /// 96x64, a slanted plane of 10 bits; made with heif-enc, marked as BT.2020 with PQ in a `colr` box.
    static let heic =
        "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAVRtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAABAAAA"
        + "Imlsb2MAAAAAREAAAQABAAAAAAF4AAEAAAAAAAABSgAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGh2YzEAAAAA1GlwcnAAAAC1aXBjbwAAAHZodmND"
        + "AQQIAAAAAAAAAAAAHvAA/P36+gAADwMgAAEAF0ABDAH//wQIAAADAJ24AAADAAAeugJAIQABACpCAQEECAAAAwCduAAAAwAAHqAwgQTZbqSSmubgQEDAgAAA"
        + "AwCAAAADAIQiAAEAB0QBwXKwIkAAAAAUaXNwZQAAAAAAAABgAAAAQAAAABBwaXhpAAAAAAMKCgoAAAATY29scm5jbHgACQAQAAmAAAAAF2lwbWEAAAAAAAAA"
        + "AQABBIECgwQAAAFSbWRhdAAAAUYoAa8GuLNQghkKjO8Dx2cqMZwes8bVhxUfmNN76wM7vYQ/d47NGRP3FuMdKW+UX+NU989SQ1WDzyugBSRBbcXHjm1NiPe0"
        + "4RL5v3M9f5+5EWfcnKWPniG+9y/Pea6WgqUrn29GjA1FfgOhExY8Te2wMgAngK8lLNkCFV+oWk+H48vnIo6IX4kRlo+d1SY7quUQH1KNQWt8tmiRlhDgy0J/"
        + "djcxtttQHx8zOnlY6N8xfL8vjtIrZuIz4SC+m/pev+6PzX99k7MSH2Fw0g2s07mKM/Q3hiNefoxVr/NKim2HxEPPnGZ63KIsK7P0r3wViymtP/5+0L5P/pX/"
        + "zUL+PKQ31Iwd1uk3hZ/tfzJkLoKc6eVzEdvJVlU3y5vaREQT0ikBeDnP3VZJYNofcN9+Opre8wlUkl51KVjIfnvVTID93zlG8wt2IA=="

    @Test("in HEIC of ten bits is read as such, and comes out as PNG with its mark")
    func heic() throws {
        let scratch = try Scratch()
        try write("PQ", grey: 30_000, in: scratch)
        try #require(Data(base64Encoded: Self.heic)).write(to: URL(fileURLWithPath: scratch("in.heic")))
        let still = try Still.read(scratch("in.heic"))
        #expect(still.isHDR && still.image.size == (96, 64))
        for (x, y) in [(10, 10), (50, 30), (80, 60)] {
            for (channel, wanted) in [9000 + 400 * x, 20000 + 200 * x + 100 * y, 12000 + 300 * x].enumerated() {
                #expect(abs(code(still.image, x, y, channel: channel) - wanted) < 1500, "\(x), \(y): \(code(still.image, x, y, channel: channel))")
            }
        }
        try Still.write(still.image, to: scratch("out.png"))
        let file = try Data(contentsOf: URL(fileURLWithPath: scratch("out.png")))
        #expect(file[33..<49] == bytes(try #require(Self.marks["PQ"])))
    }
}
