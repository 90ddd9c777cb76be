import AVFCapture
import CoreMedia
import Foundation
import Pipeline

/// Formats of coded samples: of a file's track as Core Media describes it, and back.
extension MovieContents.Track {
    /// Format of the samples as stored; nil for sound that cannot be described.
    var formatDescription: CMFormatDescription? {
        switch kind {
        case .picture, .disparity:
            CMFormatDescription(
                mediaType: kind == .picture ? .video : .auxiliaryPicture, mediaSubType: codec, width: width, height: height,
                extensions: pictureExtensions)
        case .sound:
            try? CMFormatDescription(
                audioStreamBasicDescription: streamDescription, layout: AudioChannelLayout(mChannelLayoutTag: layoutTag),
                magicCookie: configuration.isEmpty || codec != kAudioFormatMPEG4AAC ? configuration : ElementaryStream.descriptor(of: configuration))
        case .metadata:
            CMFormatDescription(
                mediaType: .metadata, mediaSubType: codec, width: 0, height: 0,
                extensions: [kCMFormatDescriptionExtension_FormatName as String: Self.cinematicName] as CFDictionary)
        case .other: CMFormatDescription(mediaType: .metadata, mediaSubType: codec)
        case .foreignMetadata:
            codec == kCMMetadataFormatType_Boxed
                ? CMFormatDescription(metadataKeys: MetadataKeyTable.keys(in: configuration))
                : CMFormatDescription(mediaType: .metadata, mediaSubType: codec)
        case .timecode: CMFormatDescription(mediaType: .timeCode, mediaSubType: codec)
        }
    }

    private var pictureExtensions: CFDictionary? {
        var values: [String: Any] = [:]
        if kind == .picture { for (key, name) in colors.names { values[key as String] = name } }
        if let box, !configuration.isEmpty {
            values[kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms as String] = [box: configuration]
        }
        return values as CFDictionary
    }

    /// Box of the sample entry that holds what a decoder needs; nil for a coding that needs none, or has another.
    private var box: String? {
        kind == .disparity ? "glbl" : CodedConfiguration.Coding(codec)?.box
    }

    /// Name of the format of a cinematic movie's metadata, as other metadata have the same sample entry.
    fileprivate static let cinematicName = "CinematicMetadata"
    /// `FFV1`, the sample entry of a cinematic movie's disparity.
    private static let disparityEntry: FourCharCode = 0x4646_5631

    private var streamDescription: AudioStreamBasicDescription {
        if codec == kAudioFormatLinearPCM, let stream = PCMCoding(name: coding)?.stream(sampleRate: sampleRate, channels: channels) { return stream }
        return AudioStreamBasicDescription(
            mSampleRate: Float64(sampleRate), mFormatID: codec, mFormatFlags: 0, mBytesPerPacket: 0,
            mFramesPerPacket: codec == kAudioFormatMPEG4AAC ? 1024 : 1, mBytesPerFrame: 0, mChannelsPerFrame: UInt32(channels), mBitsPerChannel: 0,
            mReserved: 0)
    }

    /// Track of samples that come in a format; nil for one that no file keeps as it is, as pixels are.
    init?(codedAs format: CMFormatDescription, timescale: CMTimeScale) {
        let kind: Kind
        switch format.mediaType {
        case .video: kind = .picture
        case .audio: kind = .sound
        case .auxiliaryPicture where format.mediaSubType.rawValue == Self.disparityEntry: kind = .disparity
        case .metadata where format.isCinematicMetadata: kind = .metadata
        case .metadata where format.mediaSubType.rawValue == kCMMetadataFormatType_Boxed:
            self.init(metadataKeys: format.metadataKeys, timescale: timescale)
            return
        default: return nil
        }
        self.init(number: 0, kind: kind, codec: format.mediaSubType.rawValue, timescale: timescale, timeRange: .zero)
        switch kind {
        case .metadata: return
        case .picture, .disparity:
            (width, height) = (Int(format.dimensions.width), Int(format.dimensions.height))
            if kind == .picture { colors = PictureColors { format.text($0) } }
            guard let box else { return }
            guard let data = format.box(box), width > 0, height > 0 else { return nil }
            configuration = data
        default:
            guard let stream = format.audioStreamBasicDescription else { return nil }
            (sampleRate, channels) = (Int(stream.mSampleRate), Int(stream.mChannelsPerFrame))
            let layout = CMAudioFormatDescriptionGetChannelLayout(format, sizeOut: nil)
            isAmbisonic = layout?.pointee.mChannelLayoutTag == kAudioChannelLayoutTag_HOA_ACN_SN3D | 4
            if codec == kAudioFormatLinearPCM {
                guard let pcm = PCMCoding(stream) else { return nil }
                coding = pcm.name
            } else if codec == kAudioFormatMPEG4AAC {
                guard let cookie = format.magicCookie else { return nil }
                configuration = ElementaryStream.configuration(in: cookie)
            }
        }
    }
}

extension CMFormatDescription {
    /// Whether samples are those of a cinematic movie's metadata.
    var isCinematicMetadata: Bool { text(kCMFormatDescriptionExtension_FormatName) as String? == MovieContents.Track.cinematicName }

    /// Text of an extension; nil without it.
    fileprivate func text(_ key: CFString) -> CFString? { extensions[.init(rawValue: key)]?.propertyListRepresentation as? CFString }
}

/// Samples of linear PCM, as FFmpeg names them: `pcm_s16le`, `pcm_f32le`.
struct PCMCoding {
    private let isFloat: Bool
    private let isBigEndian: Bool
    private let bits: Int

    /// Nil for samples that are not interleaved, or of another width.
    init?(_ stream: AudioStreamBasicDescription) {
        guard stream.mChannelsPerFrame == 1 || stream.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0, let coding = SampleCoding(stream) else {
            return nil
        }
        (isFloat, isBigEndian, bits) = (coding.isFloat, coding.isBigEndian, 8 * coding.size)
    }

    /// Nil for another name.
    init?(name: String) {
        let kind = name.dropFirst("pcm_".count)
        guard name.hasPrefix("pcm_"), let first = kind.first, "sf".contains(first), let bits = Int(kind.dropFirst().prefix { $0.isNumber }) else {
            return nil
        }
        (isFloat, isBigEndian, self.bits) = (first == "f", kind.hasSuffix("be"), bits)
    }

    var name: String { "pcm_\(isFloat ? "f" : "s")\(bits)\(isBigEndian ? "be" : "le")" }

    func stream(sampleRate: Int, channels: Int) -> AudioStreamBasicDescription {
        AudioStreamBasicDescription(
            packed: Float64(sampleRate), channels: UInt32(channels), bits: UInt32(bits), isFloat: isFloat, isBigEndian: isBigEndian,
            isInterleaved: true)
    }
}

/// Elementary stream descriptor of AAC, which Core Media hands over as a cookie (ISO/IEC 14496-1, 7.2.6): the configuration of the decoder within.
enum ElementaryStream {
    static func descriptor(of configuration: Data) -> Data {
        let decoder = Data([0x40, 0x15] + [UInt8](repeating: 0, count: 11)) + tagged(5, configuration)
        return tagged(3, Data([0, 0, 0]) + tagged(4, decoder) + tagged(6, Data([2])))
    }

    /// The configuration in a descriptor, or the bytes themselves where they are none.
    static func configuration(in cookie: Data) -> Data {
        guard let stream = content(of: 3, in: cookie[...]), let decoder = content(of: 4, in: stream.dropFirst(3)),
            let configuration = content(of: 5, in: decoder.dropFirst(13))
        else { return cookie }
        return Data(configuration)
    }

    private static func tagged(_ tag: UInt8, _ content: Data) -> Data {
        let sizes = [21, 14, 7].map { UInt8(content.count >> $0 & 0x7F) | 0x80 } + [UInt8(content.count & 0x7F)]
        return Data([tag] + sizes) + content
    }

    /// Content of a descriptor that begins the bytes, its length in groups of seven bits.
    private static func content(of tag: UInt8, in bytes: Data) -> Data? {
        guard bytes.first == tag else { return nil }
        var (rest, size) = (bytes.dropFirst(), 0)
        for _ in 0..<4 {
            guard let next = rest.first else { return nil }
            (size, rest) = (size << 7 | Int(next & 0x7F), rest.dropFirst())
            if next & 0x80 == 0 { break }
        }
        return size <= rest.count ? rest.prefix(size) : nil
    }
}
