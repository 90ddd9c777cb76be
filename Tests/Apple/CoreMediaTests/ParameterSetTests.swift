import CoreMedia
import CoreVideo
import Foundation
import Testing

@Suite("Parameter sets of coded pictures")
struct ParameterSetTests {
    /// Of x264 and x265, for pictures of 1920 × 1080, 320 × 180 and 1280 × 720 in ten bits.
    private static let high = ["67640028acd940780227e5c044000003000400000300f03c60c658", "68ebe3cb22c0"]
    private static let baseline = ["6742c00dd901419f9f0110000003001000000303c0f142a480", "68cb83cb20"]
    private static let tenBits = [
        "40010c01ffff02200000030090000003000003005d959809",
        "42010102200000030090000003000003005da00280802d1365959a4932bc05a020000003002000000303c1", "4401c172b46240",
    ]

    private static func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
    }

    private static func description(_ sets: [[UInt8]], isHEVC: Bool, length: Int32 = 4) -> (OSStatus, CMFormatDescription?) {
        let memory = sets.map { set in
            let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, set.count))
            _ = memory.initialize(from: set)
            return memory
        }
        defer { for set in memory { set.deallocate() } }
        let pointers = memory.compactMap { $0.baseAddress.map { UnsafePointer($0) } }
        var made: CMFormatDescription?
        let status =
            isHEVC
            ? CMVideoFormatDescriptionCreateFromHEVCParameterSets(
                allocator: nil, parameterSetCount: sets.count, parameterSetPointers: pointers, parameterSetSizes: sets.map(\.count),
                nalUnitHeaderLength: length, extensions: [kCMFormatDescriptionExtension_Depth: 24] as CFDictionary, formatDescriptionOut: &made)
            : CMVideoFormatDescriptionCreateFromH264ParameterSets(
                allocator: kCFAllocatorDefault, parameterSetCount: sets.count, parameterSetPointers: pointers,
                parameterSetSizes: sets.map(\.count), nalUnitHeaderLength: length, formatDescriptionOut: &made)
        return (status, made)
    }

    private static func box(_ description: CMFormatDescription, _ name: String) -> Data? {
        let atoms = CMFormatDescriptionGetExtension(
            description, extensionKey: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)
        return (atoms as? [String: Any])?[name] as? Data
    }

    @Test("make a description of H.264 with its size and the box that an encoder writes")
    func h264() throws {
        let (status, made) = Self.description(Self.high.map(Self.bytes), isHEVC: false)
        let description = try #require(made)
        #expect(status == noErr && description.mediaSubType == .h264)
        #expect(description.dimensions.width == 1920 && description.dimensions.height == 1080)
        let box = "01640028ffe1001b\(Self.high[0])010006\(Self.high[1])fdf8f800"
        #expect(Self.box(description, "avcC") == Data(Self.bytes(box)))
        let small = try #require(Self.description(Self.baseline.map(Self.bytes), isHEVC: false, length: 2).1)
        #expect(small.dimensions.width == 320 && small.dimensions.height == 180 && Self.box(small, "avcC")?[4] == 0xFD)
    }

    @Test("make a description of HEVC with its size and the box that an encoder writes")
    func hevc() throws {
        let (status, made) = Self.description(Self.tenBits.map(Self.bytes), isHEVC: true)
        let description = try #require(made)
        #expect(status == noErr && description.mediaSubType == .hevc)
        #expect(description.dimensions.width == 1280 && description.dimensions.height == 720)
        #expect(Self.box(description, "hvcC")?.prefix(23) == Data(Self.bytes("0102200000009000000000005df000fcfdfafa00000f03")))
        #expect(CMFormatDescriptionGetExtension(description, extensionKey: kCMFormatDescriptionExtension_Depth) as? Int == 24)
    }

    @Test("are found again, as long as the description lives", arguments: [false, true])
    func finding(isHEVC: Bool) throws {
        let sets = (isHEVC ? Self.tenBits : Self.high).map(Self.bytes)
        let description = try #require(Self.description(sets, isHEVC: isHEVC).1)
        let find = isHEVC ? CMVideoFormatDescriptionGetHEVCParameterSetAtIndex : CMVideoFormatDescriptionGetH264ParameterSetAtIndex
        let other = isHEVC ? CMVideoFormatDescriptionGetH264ParameterSetAtIndex : CMVideoFormatDescriptionGetHEVCParameterSetAtIndex
        var (pointer, size, count, length): (UnsafePointer<UInt8>?, Int, Int, Int32) = (nil, 0, 0, 0)
        for (index, set) in sets.enumerated() {
            #expect(find(description, index, &pointer, &size, &count, &length) == noErr && count == sets.count && length == 4)
            #expect(Array(UnsafeBufferPointer(start: pointer, count: size)) == set)
        }
        #expect(find(description, sets.count, nil, nil, &count, nil) == kCMFormatDescriptionError_InvalidParameter)
        #expect(other(description, 0, nil, nil, nil, nil) == kCMFormatDescriptionError_ValueNotAvailable)
    }

    @Test("that are damaged or missing make none")
    func damage() {
        let sets = Self.high.map(Self.bytes)
        let broken: [[[UInt8]]] = [
            [], [sets[0]], [sets[1]], [Array(sets[0].prefix(6)), sets[1]], [[], sets[1]], [[0x67, 0xFF, 0xFF, 0xFF], sets[1]],
            [[0x67] + Array(repeating: 0, count: 40), sets[1]],
        ]
        for sets in broken { #expect(Self.description(sets, isHEVC: false).0 == kCMFormatDescriptionError_InvalidParameter) }
        #expect(Self.description(sets, isHEVC: false, length: 3).0 == kCMFormatDescriptionError_InvalidParameter)
        #expect(Self.description(sets, isHEVC: true).0 == kCMFormatDescriptionError_InvalidParameter)
        var state: UInt64 = 1
        func random() -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33)
        }
        for _ in 0..<2000 {
            let noise = (0..<1 + random() % 60).map { _ in UInt8(random() % 256) }
            _ = Self.description([[0x67] + noise, sets[1]], isHEVC: false)
            _ = Self.description([[0x40, 1] + noise, [0x42, 1] + noise, [0x44, 1] + noise], isHEVC: true)
        }
    }
}
