import Foundation

/// Type of a file's or a value's content, by its identifier.
public struct UTType: Hashable, Sendable, CustomStringConvertible {
    /// Identifier, such as `public.jpeg`.
    public let identifier: String
    /// Types that a declared one was said to conform to.
    private var declaredParents: [UTType] = []

    /// Whether both have the same identifier.
    public static func == (one: UTType, other: UTType) -> Bool { one.identifier == other.identifier }
    /// Adds the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

    /// Entry of the table of known types.
    private struct Entry {
        let identifier: String
        /// The preferred one first.
        var extensions: [String] = []
        var mimeTypes: [String] = []
        var parents: [String] = []
    }

    /// Makes the type of a known identifier; nil for another.
    public init?(_ identifier: String) {
        guard Self.table.contains(where: { $0.identifier == identifier }) else { return nil }
        self.identifier = identifier
    }

    /// Makes the type of a file name's extension, in any case and without its dot, that conforms to another; nil for an unknown one.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        self.init(supertype) { $0.extensions.contains(filenameExtension.lowercased()) }
    }

    /// Makes the type of a MIME type that conforms to another; nil for an unknown one.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        self.init(supertype) { $0.mimeTypes.contains(mimeType.lowercased()) }
    }

    private init?(_ supertype: UTType, where matches: (Entry) -> Bool) {
        guard
            let found = Self.table.first(where: {
                matches($0) && UTType(known: $0.identifier).conforms(to: supertype)
            })
        else { return nil }
        identifier = found.identifier
    }

    private init(known identifier: String) { self.identifier = identifier }

    /// Makes a type that the app declares itself; it conforms to nothing but what it is given.
    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.identifier = identifier
        declaredParents = [parentType].compactMap(\.self)
    }
    /// Makes a type that another app declares; it conforms to nothing but what it is given.
    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.identifier = identifier
        declaredParents = [parentType].compactMap(\.self)
    }

    private var entry: Entry? { Self.table.first { $0.identifier == identifier } }

    /// Usual extension of a file's name, without its dot; nil where there is none.
    public var preferredFilenameExtension: String? { entry?.extensions.first }
    /// Usual MIME type; nil where there is none.
    public var preferredMIMEType: String? { entry?.mimeTypes.first }
    /// Types that this one is a kind of, its own left out.
    public var supertypes: Set<UTType> {
        Set((declaredParents + (entry?.parents ?? []).map(UTType.init(known:))).flatMap { [$0] + $0.supertypes })
    }
    /// Whether the type is another one or a kind of it.
    public func conforms(to type: UTType) -> Bool { self == type || supertypes.contains(type) }
    /// Whether the other type is a kind of this one, and not the same.
    public func isSupertype(of type: UTType) -> Bool { type.supertypes.contains(self) }
    /// Whether this type is a kind of the other, and not the same.
    public func isSubtype(of type: UTType) -> Bool { supertypes.contains(type) }
    /// The identifier.
    public var description: String { identifier }

    private static let table: [Entry] = [
        Entry(identifier: "public.item"),
        Entry(identifier: "public.content"),
        Entry(identifier: "public.data", parents: ["public.item"]),
        Entry(identifier: "public.image", parents: ["public.data", "public.content"]),
        Entry(
            identifier: "public.jpeg", extensions: ["jpeg", "jpg", "jpe"],
            mimeTypes: ["image/jpeg", "image/jpg"], parents: ["public.image"]),
        Entry(
            identifier: "public.png", extensions: ["png"], mimeTypes: ["image/png"],
            parents: ["public.image"]),
        Entry(
            identifier: "public.tiff", extensions: ["tiff", "tif"], mimeTypes: ["image/tiff"],
            parents: ["public.image"]),
        Entry(
            identifier: "com.compuserve.gif", extensions: ["gif"], mimeTypes: ["image/gif"],
            parents: ["public.image"]),
        Entry(
            identifier: "public.heif", extensions: ["heif"], mimeTypes: ["image/heif"],
            parents: ["public.image"]),
        Entry(
            identifier: "public.heic", extensions: ["heic"], mimeTypes: ["image/heic"],
            parents: ["public.heif"]),
        Entry(identifier: "public.camera-raw-image", parents: ["public.image"]),
        Entry(
            identifier: "com.adobe.raw-image", extensions: ["dng"], mimeTypes: ["image/x-adobe-dng"],
            parents: ["public.camera-raw-image"]),
        Entry(identifier: "public.audiovisual-content", parents: ["public.data", "public.content"]),
        Entry(identifier: "public.movie", parents: ["public.audiovisual-content"]),
        Entry(identifier: "public.video", parents: ["public.movie"]),
        Entry(
            identifier: "com.apple.quicktime-movie", extensions: ["mov", "qt"],
            mimeTypes: ["video/quicktime"], parents: ["public.movie"]),
        Entry(
            identifier: "public.mpeg-4", extensions: ["mp4", "mpg4"],
            mimeTypes: ["video/mp4", "video/mpeg4"], parents: ["public.movie"]),
        Entry(identifier: "public.audio", parents: ["public.audiovisual-content"]),
        Entry(
            identifier: "com.microsoft.waveform-audio", extensions: ["wav", "wave"],
            mimeTypes: ["audio/vnd.wave", "audio/wav"],
            parents: ["public.audio"]),
        Entry(
            identifier: "com.apple.m4a-audio", extensions: ["m4a"], mimeTypes: ["audio/x-m4a"],
            parents: ["public.audio"]),
        Entry(identifier: "public.text", parents: ["public.data", "public.content"]),
        Entry(
            identifier: "public.plain-text", extensions: ["txt", "text"], mimeTypes: ["text/plain"],
            parents: ["public.text"]),
        Entry(
            identifier: "public.json", extensions: ["json"], mimeTypes: ["application/json"],
            parents: ["public.text"]),
        Entry(identifier: "public.archive"),
        Entry(
            identifier: "public.zip-archive", extensions: ["zip"], mimeTypes: ["application/zip"], parents: ["public.data", "public.archive"]),
        Entry(identifier: "public.directory", parents: ["public.item"]),
        Entry(identifier: "public.folder", parents: ["public.directory"]),
    ]
}

extension UTType {
    /// Anything.
    public static let item = UTType(known: "public.item")
    /// Document.
    public static let content = UTType(known: "public.content")
    /// Bytes.
    public static let data = UTType(known: "public.data")
    /// File of files.
    public static let archive = UTType(known: "public.archive")
    /// Zip file.
    public static let zip = UTType(known: "public.zip-archive")
    /// Folder or package.
    public static let directory = UTType(known: "public.directory")
    /// Folder that a user sees as one.
    public static let folder = UTType(known: "public.folder")
    /// Picture.
    public static let image = UTType(known: "public.image")
    /// JPEG picture.
    public static let jpeg = UTType(known: "public.jpeg")
    /// PNG picture.
    public static let png = UTType(known: "public.png")
    /// TIFF picture.
    public static let tiff = UTType(known: "public.tiff")
    /// GIF picture.
    public static let gif = UTType(known: "com.compuserve.gif")
    /// Picture in a High Efficiency Image File.
    public static let heif = UTType(known: "public.heif")
    /// HEVC picture in a High Efficiency Image File.
    public static let heic = UTType(known: "public.heic")
    /// Raw data of a sensor.
    public static let rawImage = UTType(known: "public.camera-raw-image")
    /// Pictures or sound over time.
    public static let audiovisualContent = UTType(known: "public.audiovisual-content")
    /// Pictures over time, with sound or without.
    public static let movie = UTType(known: "public.movie")
    /// Pictures over time, without sound.
    public static let video = UTType(known: "public.video")
    /// QuickTime movie.
    public static let quickTimeMovie = UTType(known: "com.apple.quicktime-movie")
    /// MPEG-4 movie.
    public static let mpeg4Movie = UTType(known: "public.mpeg-4")
    /// Sound.
    public static let audio = UTType(known: "public.audio")
    /// Waveform audio.
    public static let wav = UTType(known: "com.microsoft.waveform-audio")
    /// MPEG-4 sound.
    public static let mpeg4Audio = UTType(known: "com.apple.m4a-audio")
    /// Text.
    public static let text = UTType(known: "public.text")
    /// Text without format.
    public static let plainText = UTType(known: "public.plain-text")
    /// JSON.
    public static let json = UTType(known: "public.json")
}

extension URL {
    /// Returns the location of a file of a type: the name gets the type's usual extension, unless it has one of the type's.
    public func appendingPathComponent(_ partialName: String, conformingTo contentType: UTType) -> URL {
        let named = appendingPathComponent(partialName)
        return named.appendingPathExtension(for: contentType)
    }

    /// Returns the location with a type's usual extension, unless it has one of the type's.
    public func appendingPathExtension(for contentType: UTType) -> URL {
        guard let wanted = contentType.preferredFilenameExtension else { return self }
        if UTType(filenameExtension: pathExtension)?.conforms(to: contentType) == true { return self }
        return appendingPathExtension(wanted)
    }

    /// Appends the name of a file of a type, with the type's usual extension unless it has one of the type's.
    public mutating func appendPathComponent(_ partialName: String, conformingTo contentType: UTType) {
        self = appendingPathComponent(partialName, conformingTo: contentType)
    }

    /// Appends a type's usual extension, unless there is one of the type's.
    public mutating func appendPathExtension(for contentType: UTType) { self = appendingPathExtension(for: contentType) }
}
