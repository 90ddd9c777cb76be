@_exported import CoreVideo
import Foundation
import UniformTypeIdentifiers

// The older names of UniformTypeIdentifiers: identifiers of types as text, and what is known of them.

/// Anything.
public nonisolated(unsafe) let kUTTypeItem: CFString = "public.item"
/// Document.
public nonisolated(unsafe) let kUTTypeContent: CFString = "public.content"
/// Bytes.
public nonisolated(unsafe) let kUTTypeData: CFString = "public.data"
/// Picture.
public nonisolated(unsafe) let kUTTypeImage: CFString = "public.image"
/// JPEG.
public nonisolated(unsafe) let kUTTypeJPEG: CFString = "public.jpeg"
/// PNG.
public nonisolated(unsafe) let kUTTypePNG: CFString = "public.png"
/// TIFF.
public nonisolated(unsafe) let kUTTypeTIFF: CFString = "public.tiff"
/// GIF.
public nonisolated(unsafe) let kUTTypeGIF: CFString = "com.compuserve.gif"
/// Raw picture of a camera.
public nonisolated(unsafe) let kUTTypeRawImage: CFString = "public.camera-raw-image"
/// Live Photo.
public nonisolated(unsafe) let kUTTypeLivePhoto: CFString = "com.apple.live-photo"
/// Sound, pictures that move, or both.
public nonisolated(unsafe) let kUTTypeAudiovisualContent: CFString = "public.audiovisual-content"
/// Movie, with sound or without.
public nonisolated(unsafe) let kUTTypeMovie: CFString = "public.movie"
/// Pictures that move, without sound.
public nonisolated(unsafe) let kUTTypeVideo: CFString = "public.video"
/// QuickTime movie.
public nonisolated(unsafe) let kUTTypeQuickTimeMovie: CFString = "com.apple.quicktime-movie"
/// MPEG-4 movie.
public nonisolated(unsafe) let kUTTypeMPEG4: CFString = "public.mpeg-4"
/// Sound.
public nonisolated(unsafe) let kUTTypeAudio: CFString = "public.audio"
/// WAVE.
public nonisolated(unsafe) let kUTTypeWaveformAudio: CFString = "com.microsoft.waveform-audio"
/// MPEG-4 sound.
public nonisolated(unsafe) let kUTTypeMPEG4Audio: CFString = "com.apple.m4a-audio"
/// Text.
public nonisolated(unsafe) let kUTTypeText: CFString = "public.text"
/// Text without form.
public nonisolated(unsafe) let kUTTypePlainText: CFString = "public.plain-text"
/// JSON.
public nonisolated(unsafe) let kUTTypeJSON: CFString = "public.json"
/// URL.
public nonisolated(unsafe) let kUTTypeURL: CFString = "public.url"
/// PDF.
public nonisolated(unsafe) let kUTTypePDF: CFString = "com.adobe.pdf"

/// Kind of tag: a file name's extension.
public nonisolated(unsafe) let kUTTagClassFilenameExtension: CFString = "public.filename-extension"
/// Kind of tag: a MIME type.
public nonisolated(unsafe) let kUTTagClassMIMEType: CFString = "public.mime-type"

/// Whether two identifiers are of one type.
public func UTTypeEqual(_ inUTI1: CFString, _ inUTI2: CFString) -> Bool { (inUTI1 as String).lowercased() == (inUTI2 as String).lowercased() }

/// Whether a type is another one or a kind of it; false for unknown ones that differ.
public func UTTypeConformsTo(_ inUTI: CFString, _ inConformsToUTI: CFString) -> Bool {
    guard let type = UTType(inUTI as String), let other = UTType(inConformsToUTI as String) else { return UTTypeEqual(inUTI, inConformsToUTI) }
    return type.conforms(to: other)
}

/// Makes the identifier of the type that a tag stands for, of a kind if one is given; nil for an unknown tag.
public func UTTypeCreatePreferredIdentifierForTag(
    _ inTagClass: CFString, _ inTag: CFString, _ inConformingToUTI: CFString?
) -> Unmanaged<CFString>? {
    let parent = inConformingToUTI.map { UTType($0 as String) } ?? .data
    guard let parent else { return nil }
    let type =
        inTagClass.isEqual(to: kUTTagClassMIMEType as String)
        ? UTType(mimeType: inTag as String, conformingTo: parent)
        : inTagClass.isEqual(to: kUTTagClassFilenameExtension as String)
            ? UTType(filenameExtension: inTag as String, conformingTo: parent) : nil
    return type.map { Unmanaged.passRetained($0.identifier as CFString) }
}

/// Makes a type's usual tag of a kind; nil where there is none.
public func UTTypeCopyPreferredTagWithClass(_ inUTI: CFString, _ inTagClass: CFString) -> Unmanaged<CFString>? {
    let type = UTType(inUTI as String)
    let tag =
        inTagClass.isEqual(to: kUTTagClassMIMEType as String)
        ? type?.preferredMIMEType
        : inTagClass.isEqual(to: kUTTagClassFilenameExtension as String) ? type?.preferredFilenameExtension : nil
    return tag.map { Unmanaged.passRetained($0 as CFString) }
}
