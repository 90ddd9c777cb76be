import Foundation

// On Apple's systems an NSDictionary is a CFDictionary; apps that write their attributes so call these.

/// Makes a pool of the attributes in an `NSDictionary`.
@discardableResult @_disfavoredOverload
public func CVPixelBufferPoolCreate(
    _ allocator: CFAllocator?, _ poolAttributes: NSDictionary?, _ pixelBufferAttributes: NSDictionary?,
    _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
    CVPixelBufferPoolCreate(allocator, poolAttributes.map(CFDictionary.init), pixelBufferAttributes.map(CFDictionary.init), poolOut)
}

/// Makes a pixel buffer with attributes in an `NSDictionary`.
@discardableResult @_disfavoredOverload
public func CVPixelBufferCreate(
    _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType, _ pixelBufferAttributes: NSDictionary?,
    _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    CVPixelBufferCreate(allocator, width, height, pixelFormatType, pixelBufferAttributes.map(CFDictionary.init), pixelBufferOut)
}

extension CFDictionary {
    /// The entries under texts.
    fileprivate init(_ dictionary: NSDictionary) {
        self.init()
        for (key, value) in dictionary {
            if let key = key as? String { self[key] = value }
        }
    }
}
