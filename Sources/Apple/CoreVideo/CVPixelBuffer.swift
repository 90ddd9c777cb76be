import Foundation
import Synchronization

/// A picture in memory: one page-aligned allocation, one to three planes, rows padded to 64 bytes.
public final class CVBuffer: _SendableReference, @unchecked Sendable {
    package let pixelFormat: OSType
    let width: Int
    let height: Int
    package let planes: [Plane]
    let isPlanar: Bool
    package let storage: CVBufferStorage
    private let recycle: (@Sendable (CVBufferStorage) -> Void)?
    let attachments = Mutex<[String: Attachment]>([:])

    init(
        width: Int, height: Int, pixelFormat: OSType, planes: [Plane], storage: CVBufferStorage,
        recycle: (@Sendable (CVBufferStorage) -> Void)? = nil
    ) {
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.planes = planes
        self.isPlanar = planes.count > 1
        self.storage = storage
        self.recycle = recycle
    }

    deinit { recycle?(storage) }

    /// One plane: its first byte, its size in pixels of that plane and its stride in bytes. Keeps its buffer alive.
    package struct Plane: @unchecked Sendable {
        package let base: UnsafeMutableRawPointer
        package let width: Int
        package let height: Int
        package let bytesPerRow: Int
        /// Nil in the buffer's own list.
        fileprivate(set) var owner: CVBuffer?

        /// The pixels of row `y` as values of `Element`; `Element` may be narrower than a pixel.
        @inlinable
        package func row<Element>(_ y: Int, as type: Element.Type = Element.self) -> UnsafeMutablePointer<Element> {
            (base + y * bytesPerRow).assumingMemoryBound(to: Element.self)
        }
    }
}

/// Buffer of a picture; here every `CVBuffer` is one.
public typealias CVImageBuffer = CVBuffer
/// Picture whose pixels the processor can reach; here every `CVBuffer` is one.
public typealias CVPixelBuffer = CVImageBuffer

/// The bytes behind a pixel buffer, which a pool hands on from one buffer to the next: whole pages.
package final class CVBufferStorage: @unchecked Sendable {
    package let base: UnsafeMutableRawPointer
    package let byteCount: Int

    init(byteCount: Int) {
        self.byteCount = byteCount
        base = .allocate(byteCount: byteCount, alignment: 4096)
    }

    deinit { base.deallocate() }
}

extension CVBuffer {
    /// The planes of a buffer of this kind: byte offset, size and stride of each, and the bytes in all.
    static func arrangement(
        width: Int, height: Int, pixelFormat: OSType
    ) -> (planes: [(offset: Int, width: Int, height: Int, bytesPerRow: Int)], byteCount: Int)? {
        guard width > 0, height > 0, let layouts = PlaneLayout.planes(of: pixelFormat) else { return nil }
        var offset = 0
        var planes: [(Int, Int, Int, Int)] = []
        for layout in layouts {
            let planeWidth = (width + layout.widthDivisor - 1) / layout.widthDivisor
            let planeHeight = (height + layout.heightDivisor - 1) / layout.heightDivisor
            let bytesPerRow = (planeWidth * layout.bytesPerPixel + 63) & ~63
            planes.append((offset, planeWidth, planeHeight, bytesPerRow))
            offset = (offset + bytesPerRow * planeHeight + 4095) & ~4095
        }
        return (planes, offset)
    }

    /// A buffer over `storage`, or over fresh memory. Nil for an unknown format or an empty size.
    static func make(
        width: Int, height: Int, pixelFormat: OSType, storage: CVBufferStorage? = nil,
        recycle: (@Sendable (CVBufferStorage) -> Void)? = nil
    ) -> CVBuffer? {
        guard let arrangement = arrangement(width: width, height: height, pixelFormat: pixelFormat) else { return nil }
        let storage = storage ?? CVBufferStorage(byteCount: arrangement.byteCount)
        let planes = arrangement.planes.map {
            Plane(base: storage.base + $0.offset, width: $0.width, height: $0.height, bytesPerRow: $0.bytesPerRow)
        }
        return CVBuffer(width: width, height: height, pixelFormat: pixelFormat, planes: planes, storage: storage, recycle: recycle)
    }

    /// A fresh buffer; its contents are undefined. Traps on an unknown format or an empty size.
    package convenience init(width: Int, height: Int, pixelFormat: OSType) {
        guard let arrangement = Self.arrangement(width: width, height: height, pixelFormat: pixelFormat) else {
            preconditionFailure("no pixel buffer of \(width)x\(height) in format \(pixelFormat)")
        }
        let storage = CVBufferStorage(byteCount: arrangement.byteCount)
        self.init(
            width: width, height: height, pixelFormat: pixelFormat,
            planes: arrangement.planes.map {
                Plane(base: storage.base + $0.offset, width: $0.width, height: $0.height, bytesPerRow: $0.bytesPerRow)
            },
            storage: storage)
    }

    /// Another buffer over the same pixels, with a life and attachments of its own.
    package func alias() -> CVBuffer {
        let alias = CVBuffer(width: width, height: height, pixelFormat: pixelFormat, planes: planes, storage: storage) { [self] _ in
            withExtendedLifetime(self) {}
        }
        let copied = attachments.withLock { $0 }
        alias.attachments.withLock { $0 = copied }
        return alias
    }

    package var size: (width: Int, height: Int) { (width, height) }
    package var format: OSType { pixelFormat }

    /// Plane `index`; a packed format has plane 0 only.
    package func plane(_ index: Int) -> Plane {
        var plane = planes[index]
        plane.owner = self
        return plane
    }
}
