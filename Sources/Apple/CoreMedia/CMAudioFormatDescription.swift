import CoreVideo
import Foundation

/// Format description whose media is sound.
public typealias CMAudioFormatDescription = CMFormatDescription

/// Stream and layout at addresses that stay valid as long as the description, for the C functions to point into.
final class SoundFormat: @unchecked Sendable, Equatable {
    let stream: UnsafeMutablePointer<AudioStreamBasicDescription>
    let layout: UnsafeMutablePointer<AudioChannelLayout>?
    /// Configuration of the decoder; nil for none.
    let cookie: UnsafeMutableRawBufferPointer?

    init(_ stream: AudioStreamBasicDescription, layout: AudioChannelLayout?, cookie: Data = Data()) {
        self.cookie =
            cookie.isEmpty
            ? nil : UnsafeMutableRawBufferPointer.allocate(byteCount: cookie.count, alignment: 1)
        if let bytes = self.cookie { cookie.copyBytes(to: bytes) }
        self.stream = .allocate(capacity: 1)
        self.stream.initialize(to: stream)
        self.layout = layout.map { layout in
            let pointer = UnsafeMutablePointer<AudioChannelLayout>.allocate(capacity: 1)
            pointer.initialize(to: layout)
            return pointer
        }
    }

    deinit {
        stream.deallocate()
        layout?.deallocate()
        cookie?.deallocate()
    }

    var cookieData: Data? { cookie.map { Data($0) } }

    static func == (lhs: SoundFormat, rhs: SoundFormat) -> Bool {
        let (a, b) = (lhs.stream.pointee, rhs.stream.pointee)
        return a.mSampleRate == b.mSampleRate && a.mFormatID == b.mFormatID && a.mFormatFlags == b.mFormatFlags
            && a.mBytesPerPacket == b.mBytesPerPacket && a.mFramesPerPacket == b.mFramesPerPacket && a.mBytesPerFrame == b.mBytesPerFrame
            && a.mChannelsPerFrame == b.mChannelsPerFrame && a.mBitsPerChannel == b.mBitsPerChannel
            && lhs.layout?.pointee.mChannelLayoutTag == rhs.layout?.pointee.mChannelLayoutTag
            && lhs.cookieData == rhs.cookieData
    }
}

extension CMFormatDescription {
    /// Makes a description of sound; throws -12710 for no channels or a sample rate of 0 Hz or less. `layout` may stay unknown; `magicCookie` is what a
    /// decoder needs, nil for nothing.
    public convenience init(
        audioStreamBasicDescription asbd: AudioStreamBasicDescription, layout: AudioChannelLayout? = nil, magicCookie: Data? = nil
    ) throws {
        guard asbd.mChannelsPerFrame > 0, asbd.mSampleRate > 0 else {
            throw NSError(domain: NSOSStatusErrorDomain, code: Int(kCMFormatDescriptionError_InvalidParameter))
        }
        self.init(SoundFormat(asbd, layout: layout, cookie: magicCookie ?? Data()))
    }

    /// Bytes that a decoder of the sound needs, for AAC an elementary stream descriptor (ISO/IEC 14496-1, 7.2.6.5); nil for none.
    public var magicCookie: Data? { sound?.cookieData }

    /// Interleaved 16-bit integer samples in the channels of `layout`, as a microphone delivers them; `sampleRate` in Hz.
    package convenience init(linearPCM sampleRate: Int, layout: AudioChannelLayoutTag) {
        let stream = AudioStreamBasicDescription(
            packed: Float64(sampleRate), channels: AudioChannelLayoutTag_GetNumberOfChannels(layout), bits: 16, isFloat: false, isBigEndian: false,
            isInterleaved: true)
        self.init(SoundFormat(stream, layout: AudioChannelLayout(mChannelLayoutTag: layout)))
    }

    /// Sample rate, sample format and packing of the sound; nil unless the media is sound.
    public var audioStreamBasicDescription: AudioStreamBasicDescription? { sound?.stream.pointee }
}

/// Returns the stream description, valid as long as the format description; nil unless the media is sound.
public func CMAudioFormatDescriptionGetStreamBasicDescription(_ desc: CMAudioFormatDescription) -> UnsafePointer<AudioStreamBasicDescription>? {
    desc.sound.map { UnsafePointer($0.stream) }
}

/// Returns the channel layout, valid as long as the description, and its bytes through `sizeOut`; nil and 0 without one.
public func CMAudioFormatDescriptionGetChannelLayout(
    _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioChannelLayout>? {
    let layout = desc.sound?.layout
    sizeOut?.pointee = layout == nil ? 0 : MemoryLayout<AudioChannelLayout>.size
    return layout.map { UnsafePointer($0) }
}

/// Returns what a decoder needs, valid as long as the description, and its bytes through `sizeOut`; nil and 0 for nothing.
public func CMAudioFormatDescriptionGetMagicCookie(
    _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
    sizeOut?.pointee = desc.sound?.cookie?.count ?? 0
    return desc.sound?.cookie?.baseAddress.map { UnsafeRawPointer($0) }
}

/// Makes a description of sound. Of the layout only its tag is kept; allocator and extensions are ignored.
@discardableResult
public func CMAudioFormatDescriptionCreate(
    allocator: CFAllocator?, asbd: UnsafePointer<AudioStreamBasicDescription>, layoutSize: Int, layout: UnsafePointer<AudioChannelLayout>?,
    magicCookieSize: Int, magicCookie: UnsafeRawPointer?, extensions: [String: Any]?,
    formatDescriptionOut: UnsafeMutablePointer<CMAudioFormatDescription?>
) -> OSStatus {
    let cookie = magicCookie.map { Data(bytes: $0, count: max(magicCookieSize, 0)) }
    guard let made = try? CMFormatDescription(audioStreamBasicDescription: asbd.pointee, layout: layout?.pointee, magicCookie: cookie) else {
        return kCMFormatDescriptionError_InvalidParameter
    }
    formatDescriptionOut.pointee = made
    return 0
}
