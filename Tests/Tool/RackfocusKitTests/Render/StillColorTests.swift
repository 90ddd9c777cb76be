import CoreVideo
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Media
@testable import RackfocusKit

@Suite("Colours of a still through the lens")
struct StillColorTests {
    private static func bytes(_ value: Int, _ count: Int) -> Data {
        Data((0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }

    /// ICC profile with the colorants of Display P3, adapted to D50, and nothing else.
    private static let displayP3: Data = {
        let colorants = [("rXYZ", [0.51512, 0.24120, -0.00105]), ("gXYZ", [0.29198, 0.69225, 0.04189]), ("bXYZ", [0.15710, 0.06657, 0.78407])]
        var (table, contents) = (bytes(3, 4), Data())
        for (name, values) in colorants {
            table += Data(name.utf8) + bytes(168 + contents.count, 4) + bytes(20, 4)
            contents += Data("XYZ ".utf8) + bytes(0, 4)
            for value in values { contents += bytes(Int((value * 65536).rounded()), 4) }
        }
        var header = Data(count: 128)
        header.replaceSubrange(0..<4, with: bytes(228, 4))
        header.replaceSubrange(12..<24, with: Data("mntrRGB XYZ ".utf8))
        header.replaceSubrange(36..<40, with: Data("acsp".utf8))
        return header + table + contents
    }()

    private func picture() -> CVPixelBuffer {
        let picture = CVPixelBuffer(width: 33, height: 18, pixelFormat: kCVPixelFormatType_32BGRA)
        for y in 0..<18 {
            let row = picture.plane(0).row(y, as: UInt8.self)
            for x in 0..<33 { for (channel, value) in [x * 5, y * 7, 200 - x, 255].enumerated() { row[4 * x + channel] = UInt8(value) } }
        }
        return picture
    }

    /// Renders `in` as each of three formats and returns their paths: PNG, TIFF and EXR.
    private func render(_ name: String, in scratch: Scratch, to outputs: [String] = ["png", "tiff", "exr"]) throws -> [String] {
        let map = CVPixelBuffer(width: 33, height: 18, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        for y in 0..<18 { for x in 0..<33 { map.plane(0).row(y, as: Float.self)[x] = x < 16 ? 0.75 : 0.25 } }
        if !FileManager.default.fileExists(atPath: scratch("map.png")) {
            try PictureFile.writePNG(DisparityMap(buffer: map), range: 0...1, to: scratch("map.png"))
        }
        return try outputs.map { output in
            let job = StillJob(
                image: scratch(name), depth: .disparity(scratch("map.png"), range: nil), focus: .disparity(0.75),
                blur: .perDisparity(8), lens: BokehOptions(highlights: 0), output: scratch("\(name).\(output)"), gpu: nil, replacesExisting: false)
            try job.run()
            return scratch("\(name).\(output)")
        }
    }

    private func chromaticities(_ path: String) throws -> [Float] { try #require(EXRChromaticities(ofFile: path)).values }

    private let p3: [Float] = [0.680, 0.320, 0.265, 0.690, 0.150, 0.060, 0.3127, 0.3290]

    @Test("that an ICC profile names are named by what is made of it: byte by byte in PNG and TIFF, as primaries in EXR")
    func profile() throws {
        let scratch = try Scratch()
        var photo = try PictureFile.jpegData(picture(), path: "photo")
        let segment = Data("ICC_PROFILE\0".utf8) + [1, 1] + Self.displayP3
        photo.insert(contentsOf: Data([0xFF, 0xE2]) + Self.bytes(segment.count + 2, 2) + segment, at: 2)
        try photo.write(to: URL(fileURLWithPath: scratch("photo.jpg")))
        let outputs = try render("photo.jpg", in: scratch)
        for path in outputs.prefix(2) {
            #expect(try ICCProfile(of: PictureFile.decode(path, codesLight: false))?.data == Self.displayP3, "\(path)")
        }
        let named = try chromaticities(outputs[2])
        #expect(zip(named, p3).allSatisfy { abs($0 - $1) < 0.001 }, "\(named)")
        // From PNG and from TIFF again.
        for name in ["photo.jpg.png", "photo.jpg.tiff"] {
            let picture = try PictureFile.decode(render(name, in: scratch, to: ["png"])[0], codesLight: false)
            #expect(ICCProfile(of: picture)?.data == Self.displayP3, "\(name)")
        }
        let (wide, row) = (CVPixelBuffer(width: 33, height: 18, pixelFormat: kCVPixelFormatType_64RGBALE), 4 * 33)
        for y in 0..<18 { for sample in 0..<row { wide.plane(0).row(y, as: UInt16.self)[sample] = sample % 4 == 3 ? 65535 : UInt16(sample * 200) } }
        ColorMark.profile(try #require(ICCProfile(Self.displayP3))).attach(to: wide)
        try Still.write(wide, to: scratch("wide.tiff"))
        for path in try [scratch("wide.tiff")] + render("wide.tiff", in: scratch, to: ["png", "tiff"]) {
            #expect(try ICCProfile(of: PictureFile.decode(path, codesLight: false))?.data == Self.displayP3, "\(path)")
            let still = try Still.read(path)
            #expect(still.image.plane(0).row(9, as: UInt16.self)[8] == 1600, "\(path)")
            withExtendedLifetime(still) {}
        }
    }

    @Test("that the chunk cICP of a PNG names are named in PNG and in EXR; TIFF refuses them")
    func codePoints() throws {
        let scratch = try Scratch()
        var file = try PictureFile.pngData(picture(), path: "in")
        // Primaries 12 (P3 of D65's white), transfer 13 (sRGB), RGB of full range; the checksum by zlib.
        let mark = Data([0, 0, 0, 4]) + Data("cICP".utf8) + [12, 13, 0, 1] + Data([0x6E, 0x03, 0xE3, 0xEF])
        file.insert(contentsOf: mark, at: 33)
        try file.write(to: URL(fileURLWithPath: scratch("in.png")))
        let outputs = try render("in.png", in: scratch, to: ["png", "exr"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: outputs[0]))[33..<49] == mark)
        #expect(try chromaticities(outputs[1]) == p3)
        let refusal = #expect(throws: MediaError.self) { try render("in.png", in: scratch, to: ["tiff"]) }
        #expect(
            refusal?.description.hasSuffix("cannot say that its picture has other primaries than BT.709: name it .png or .exr") == true,
            "\(refusal?.description ?? "")")
    }

    @Test("that the profile of a HEIC names, a phone's, are named in PNG; a profile of grey is not")
    func heic() throws {
        let scratch = try Scratch()
        var file = try #require(Data(base64Encoded: HDRStillTests.heic))
        let old = try #require(file.range(of: Data("colrnclx".utf8)))
        let box = Data("colrprof".utf8) + Self.displayP3
        file.replaceSubrange(old.lowerBound..<old.lowerBound + 15, with: box)
        file.replaceSubrange(old.lowerBound - 4..<old.lowerBound, with: Self.bytes(box.count + 4, 4))
        let longer = box.count - 15
        // Boxes around it have their size before their name; the place of the coded picture stands 18 bytes before the name of the next box.
        for name in ["meta", "iprp", "ipco"] {
            let at = try #require(file.range(of: Data(name.utf8))).lowerBound - 4
            let size = file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            file.replaceSubrange(at..<at + 4, with: Self.bytes(size + longer, 4))
        }
        let place = try #require(file.range(of: Data("iinf".utf8))).lowerBound - 18
        let size = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        file.replaceSubrange(place..<place + 4, with: Self.bytes(size + longer, 4))
        try file.write(to: URL(fileURLWithPath: scratch("in.heic")))
        let still = try Still.read(scratch("in.heic"))
        #expect(!still.isHDR && still.image.size == (96, 64))
        try Still.write(still.image, to: scratch("out.png"))
        #expect(try ICCProfile(of: PictureFile.decode(scratch("out.png"), codesLight: false))?.data == Self.displayP3)
        var grey = Self.displayP3
        grey.replaceSubrange(16..<20, with: Data("GRAY".utf8))
        #expect(ICCProfile(grey) == nil && ICCProfile(Data(count: 200)) == nil && ICCProfile(Data()) == nil)
    }
}
