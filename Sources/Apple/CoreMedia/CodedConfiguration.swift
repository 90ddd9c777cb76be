import Foundation

/// Parameter sets of coded pictures as sample entries keep them: `avcC` (ISO/IEC 14496-15, 5.3.3.1) and `hvcC` (8.3.3.1).
package struct CodedConfiguration {
    /// Kind of coding.
    package enum Coding {
        case h264, hevc

        /// Nil for a codec that keeps its pictures otherwise.
        package init?(_ codec: CMVideoCodecType) {
            switch codec {
            case kCMVideoCodecType_H264: self = .h264
            case kCMVideoCodecType_HEVC, CMFormatDescription.MediaSubType(string: "hev1").rawValue: self = .hevc
            default: return nil
            }
        }

        /// Name of the box.
        package var box: String { self == .h264 ? "avcC" : "hvcC" }

        /// Extensions of a format description that hold a box.
        package func extensions(_ box: Data) -> [String: Any] {
            [kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms as String: [self.box: box]]
        }
    }

    /// Parameter sets without start codes, in the order of the box.
    var sets: [Data]
    /// Bytes of the length in front of each unit of a sample: 1, 2 or 4.
    var lengthSize: Int

    /// Reads a box; nil where it is damaged.
    init?(_ box: Data, _ coding: Coding) {
        var rest = box[...]
        func take(_ count: Int) -> Data? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Data(rest.prefix(count))
        }
        func takeSet() -> Data? { take(2).flatMap { take(Int($0[0]) << 8 | Int($0[1])) } }
        sets = []
        switch coding {
        case .h264:
            guard let head = take(6) else { return nil }
            lengthSize = Int(head[4] & 3) + 1
            for _ in 0..<(head[5] & 31) { if let set = takeSet() { sets.append(set) } else { return nil } }
            guard let count = take(1)?[0] else { return nil }
            for _ in 0..<count { if let set = takeSet() { sets.append(set) } else { return nil } }
        case .hevc:
            guard let head = take(23) else { return nil }
            lengthSize = Int(head[21] & 3) + 1
            for _ in 0..<head[22] {
                guard let array = take(3) else { return nil }
                for _ in 0..<(Int(array[1]) << 8 | Int(array[2])) { if let set = takeSet() { sets.append(set) } else { return nil } }
            }
        }
    }

    /// Makes a box of parameter sets, with the size of their pictures; nil without the sets that a decoder needs, or where they are damaged.
    static func box(_ sets: [Data], _ coding: Coding, lengthSize: Int) -> (box: Data, width: Int, height: Int)? {
        guard [1, 2, 4].contains(lengthSize), sets.allSatisfy({ $0.count >= 4 && $0.count <= 0xFFFF }) else { return nil }
        return switch coding {
        case .h264: h264(sets, lengthSize)
        case .hevc: hevc(sets, lengthSize)
        }
    }

    private static func h264(_ sets: [Data], _ lengthSize: Int) -> (box: Data, width: Int, height: Int)? {
        let sequences = sets.filter { $0.first.map { $0 & 31 == 7 } ?? false }
        let pictures = sets.filter { $0.first.map { $0 & 31 == 8 } ?? false }
        guard let first = sequences.first, !pictures.isEmpty, sequences.count < 32, pictures.count < 256,
            let sequence = SequenceParameters(h264: first)
        else { return nil }
        let head = Data(first.dropFirst().prefix(3))
        var box = Data([1]) + head + [0xFC | UInt8(lengthSize - 1), 0xE0 | UInt8(sequences.count)]
        for set in sequences { box.appendSet(set) }
        box.append(UInt8(pictures.count))
        for set in pictures { box.appendSet(set) }
        if let bits = sequence.highBits { box += [0xFC | sequence.chroma, 0xF8 | bits.luma, 0xF8 | bits.chroma, 0] }
        return (box, sequence.width, sequence.height)
    }

    private static func hevc(_ sets: [Data], _ lengthSize: Int) -> (box: Data, width: Int, height: Int)? {
        func units(_ type: UInt8) -> [Data] { sets.filter { $0.first.map { $0 >> 1 & 63 == type } ?? false } }
        let arrays = [32, 33, 34].map { (type: UInt8($0), sets: units(UInt8($0))) }
        guard arrays.allSatisfy({ !$0.sets.isEmpty }), let sequence = SequenceParameters(hevc: arrays[1].sets[0]), let bits = sequence.highBits
        else { return nil }
        var box = Data([1]) + sequence.profile + [0xF0, 0, 0xFC, 0xFC | sequence.chroma, 0xF8 | bits.luma, 0xF8 | bits.chroma, 0, 0]
        box.append(sequence.layers << 3 | sequence.nesting << 2 | UInt8(lengthSize - 1))
        box.append(UInt8(arrays.count))
        for array in arrays {
            box += [0x80 | array.type, UInt8(array.sets.count >> 8), UInt8(array.sets.count & 255)]
            for set in array.sets { box.appendSet(set) }
        }
        return (box, sequence.width, sequence.height)
    }
}

extension Data {
    fileprivate mutating func appendSet(_ set: Data) {
        self += [UInt8(set.count >> 8), UInt8(set.count & 255)]
        self += set
    }
}
