import CoreVideo
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Media

@Suite("Photos as files") struct PhotoFileTests {
    static func description(_ type: PhotoDescription.FileType, orientation: Int = 1) -> PhotoDescription {
        PhotoDescription(
            fileType: type, orientation: orientation, exposure: Exposure(duration: 1.0 / 60, iso: 125, fNumber: 1.6, level: 1), fNumber: 2.8,
            focalLength: 51.7, date: Date(timeIntervalSinceReferenceDate: 3723.25), camera: "Back Dual Wide Camera")
    }

    private static func write(_ picture: CVPixelBuffer, _ photo: PhotoDescription, to path: String) throws -> Data {
        let data = try PhotoFile.data(picture, photo)
        try data.write(to: URL(fileURLWithPath: path))
        return data
    }

    @Test("the picture comes back in its colours, near enough as JPEG, as it is as PNG", arguments: PhotoDescription.FileType.allCases)
    func pixels(type: PhotoDescription.FileType) throws {
        let scratch = try Scratch()
        let picture = Picture.moving(2)
        _ = try Self.write(picture, Self.description(type), to: scratch("photo"))
        let read = try PictureFile.read(scratch("photo"), as: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        let luma = Picture.psnr(Picture.bytes(picture, bytesPerPixel: 1), Picture.bytes(read, bytesPerPixel: 1))
        let chroma = Picture.psnr(Picture.bytes(picture, plane: 1, bytesPerPixel: 2), Picture.bytes(read, plane: 1, bytesPerPixel: 2))
        #expect(luma > 36 && chroma > 40, "luma \(luma) dB, chroma \(chroma) dB")
    }

    /// Quarters of the picture: 0 top left, 1 top right, 2 bottom left, 3 bottom right.
    @Test(
        "readers turn and mirror a JPEG as the camera was held",
        arguments: [
            (0, false, 0), (90, false, 1), (180, false, 3), (270, false, 2), (0, true, 1), (90, true, 0), (180, true, 2), (270, true, 3),
        ] as [(Int, Bool, Int)])
    func orientation(rotation: Int, isMirrored: Bool, quarter: Int) throws {
        let scratch = try Scratch()
        let picture = Picture.nv12(y: 30, u: 128, v: 128)
        for y in 0..<18 { picture.plane(0).row(y, as: UInt8.self).update(repeating: 220, count: 32) }
        let orientation = PhotoDescription.orientation(rotation: rotation, isMirrored: isMirrored)
        _ = try Self.write(picture, Self.description(.jpeg, orientation: orientation), to: scratch("a.jpg"))
        let read = try PictureFile.read(scratch("a.jpg"), as: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        let (width, height) = read.size
        #expect((width, height) == (rotation % 180 == 0 ? (64, 36) : (36, 64)))
        let bright = (0..<4).filter { read.plane(0).row($0 / 2 * height / 2 + height / 4, as: UInt8.self)[$0 % 2 * width / 2 + width / 4] > 150 }
        #expect(bright == [quarter])
    }

    @Test("both say how they were taken", arguments: PhotoDescription.FileType.allCases)
    func exif(type: PhotoDescription.FileType) throws {
        let scratch = try Scratch()
        let data = try Self.write(Picture.moving(0), Self.description(type, orientation: 6), to: scratch("photo"))
        #expect(data.starts(with: type == .jpeg ? [0xFF, 0xD8, 0xFF, 0xE1] : [0x89, 0x50, 0x4E, 0x47]))
        let mark = try #require(data.range(of: Data(type == .jpeg ? "Exif\0\0".utf8 : "eXIf".utf8)))
        let tags = TIFF(Data(data[mark.upperBound...]))
        #expect(
            tags.values == [
                0x110: "Back Dual Wide Camera", 0x112: "6", 0x131: "rackfocus", 0x132: "2001:01:01 01:02:03", 0x829A: "1/60",
                0x829D: "2800000/1000000", 0x8827: "125", 0x9000: "0232", 0x9003: "2001:01:01 01:02:03", 0x9011: "+00:00",
                0x9201: "5906891/1000000", 0x9202: "2970854/1000000", 0x9203: "1941106/1000000", 0x9291: "250", 0xA001: "1", 0xA002: "64",
                0xA003: "36", 0xA405: "52",
            ])
        #expect(tags.isSorted)
    }

    @Test("the same photo is the same file")
    func reproducible() throws {
        for type in PhotoDescription.FileType.allCases {
            #expect(try PhotoFile.data(Picture.moving(1), Self.description(type)) == PhotoFile.data(Picture.moving(1), Self.description(type)))
        }
    }

    /// A reader of EXIF's two directories, as plain as can be.
    private struct TIFF {
        private let bytes: Data
        var values: [Int: String] = [:]
        var isSorted = true

        init(_ bytes: Data) {
            self.bytes = bytes
            guard bytes.starts(with: [0x4D, 0x4D, 0, 42]) else { return }
            read(number(4, 4))
            if let pointer = values.removeValue(forKey: 0x8769).flatMap(Int.init) { read(pointer) }
        }

        private func number(_ offset: Int, _ count: Int) -> Int { bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) } }

        private mutating func read(_ offset: Int) {
            var last = 0
            for entry in stride(from: offset + 2, to: offset + 2 + 12 * number(offset, 2), by: 12) {
                let (tag, type, count) = (number(entry, 2), number(entry + 2, 2), number(entry + 4, 4))
                let size = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 10: 8][type]! * count
                let place = size > 4 ? number(entry + 8, 4) : entry + 8
                isSorted = isSorted && tag > last
                last = tag
                switch type {
                case 3: values[tag] = String(number(place, 2))
                case 4: values[tag] = String(number(place, 4))
                case 5: values[tag] = "\(number(place, 4))/\(number(place + 4, 4))"
                case 10: values[tag] = "\(Int32(truncatingIfNeeded: number(place, 4)))/\(number(place + 4, 4))"
                default: values[tag] = String(decoding: bytes[place..<place + count].prefix { $0 != 0 }, as: UTF8.self)
                }
            }
        }
    }
}
