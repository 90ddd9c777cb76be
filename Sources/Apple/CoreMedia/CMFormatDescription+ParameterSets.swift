import CoreVideo
import Foundation
import Synchronization

/// Error -12718: a format description has no such value.
public let kCMFormatDescriptionError_ValueNotAvailable: OSStatus = -12718

/// Makes the description of H.264's pictures from sequence and picture parameter sets without start codes; -12710 where one is missing or damaged.
///
/// `nalUnitHeaderLength`: bytes of the length in front of each unit of a sample, 1, 2 or 4. The allocator is ignored.
@discardableResult
public func CMVideoFormatDescriptionCreateFromH264ParameterSets(
    allocator: CFAllocator?, parameterSetCount: Int, parameterSetPointers: UnsafePointer<UnsafePointer<UInt8>>,
    parameterSetSizes: UnsafePointer<Int>, nalUnitHeaderLength: Int32, formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
    make(
        .h264, sets: parameterSetPointers, sizes: parameterSetSizes, count: parameterSetCount, lengthSize: nalUnitHeaderLength, extensions: nil,
        into: formatDescriptionOut)
}

/// Makes the description of HEVC's pictures from video, sequence and picture parameter sets without start codes, as of H.264, with more extensions.
@discardableResult
public func CMVideoFormatDescriptionCreateFromHEVCParameterSets(
    allocator: CFAllocator?, parameterSetCount: Int, parameterSetPointers: UnsafePointer<UnsafePointer<UInt8>>,
    parameterSetSizes: UnsafePointer<Int>, nalUnitHeaderLength: Int32, extensions: CFDictionary?,
    formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
    make(
        .hevc, sets: parameterSetPointers, sizes: parameterSetSizes, count: parameterSetCount, lengthSize: nalUnitHeaderLength,
        extensions: extensions, into: formatDescriptionOut)
}

private func make(
    _ coding: CodedConfiguration.Coding, sets: UnsafePointer<UnsafePointer<UInt8>>, sizes: UnsafePointer<Int>, count: Int, lengthSize: Int32,
    extensions: CFDictionary?, into description: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
    let sets = (0..<max(0, count)).map { Data(bytes: sets[$0], count: max(0, sizes[$0])) }
    guard let made = CMFormatDescription(parameterSets: sets, coding, lengthSize: Int(lengthSize), extensions: extensions) else {
        return kCMFormatDescriptionError_InvalidParameter
    }
    description.pointee = made
    return noErr
}

/// Finds a parameter set of H.264's pictures, their number and the length in front of units; -12718 without any, -12710 beyond their number.
///
/// The set is valid as long as the description.
@discardableResult
public func CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
    _ videoDesc: CMFormatDescription, parameterSetIndex: Int, parameterSetPointerOut: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    parameterSetSizeOut: UnsafeMutablePointer<Int>?, parameterSetCountOut: UnsafeMutablePointer<Int>?,
    nalUnitHeaderLengthOut: UnsafeMutablePointer<Int32>?
) -> OSStatus {
    videoDesc.parameterSet(
        parameterSetIndex, .h264, parameterSetPointerOut, parameterSetSizeOut, parameterSetCountOut, nalUnitHeaderLengthOut)
}

/// Finds a parameter set of HEVC's pictures, as `CMVideoFormatDescriptionGetH264ParameterSetAtIndex` one of H.264's.
@discardableResult
public func CMVideoFormatDescriptionGetHEVCParameterSetAtIndex(
    _ videoDesc: CMFormatDescription, parameterSetIndex: Int, parameterSetPointerOut: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    parameterSetSizeOut: UnsafeMutablePointer<Int>?, parameterSetCountOut: UnsafeMutablePointer<Int>?,
    nalUnitHeaderLengthOut: UnsafeMutablePointer<Int32>?
) -> OSStatus {
    videoDesc.parameterSet(
        parameterSetIndex, .hevc, parameterSetPointerOut, parameterSetSizeOut, parameterSetCountOut, nalUnitHeaderLengthOut)
}

extension CMFormatDescription {
    /// Parameter sets in memory that stays where it is.
    final class ParameterSets: @unchecked Sendable {
        let sets: [UnsafeMutableBufferPointer<UInt8>]
        let lengthSize: Int

        init(_ configuration: CodedConfiguration) {
            lengthSize = configuration.lengthSize
            sets = configuration.sets.map { set in
                let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: set.count)
                _ = memory.initialize(from: set)
                return memory
            }
        }

        deinit { for set in sets { set.deallocate() } }
    }

    fileprivate convenience init?(parameterSets: [Data], _ coding: CodedConfiguration.Coding, lengthSize: Int, extensions: CFDictionary?) {
        guard let (box, width, height) = CodedConfiguration.box(parameterSets, coding, lengthSize: lengthSize) else { return nil }
        let values = (extensions?.named ?? [:]).merging(coding.extensions(box)) { $1 }
        self.init(
            mediaType: .video, mediaSubType: coding == .h264 ? kCMVideoCodecType_H264 : kCMVideoCodecType_HEVC, width: width, height: height,
            extensions: values as CFDictionary)
    }

    fileprivate func parameterSet(
        _ index: Int, _ coding: CodedConfiguration.Coding, _ pointer: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
        _ size: UnsafeMutablePointer<Int>?, _ count: UnsafeMutablePointer<Int>?, _ length: UnsafeMutablePointer<Int32>?
    ) -> OSStatus {
        guard let found = keptParameterSets(coding) else { return kCMFormatDescriptionError_ValueNotAvailable }
        count?.pointee = found.sets.count
        length?.pointee = Int32(found.lengthSize)
        guard found.sets.indices.contains(index) else { return kCMFormatDescriptionError_InvalidParameter }
        pointer?.pointee = found.sets[index].baseAddress.map { UnsafePointer($0) }
        size?.pointee = found.sets[index].count
        return noErr
    }

    /// A box of the sample entry, as that which holds what a decoder needs; nil without one.
    package func box(_ type: String) -> Data? {
        let boxes = extensions[.sampleDescriptionExtensionAtoms]?.propertyListRepresentation as? [String: Any]
        return boxes?[type] as? Data
    }

    private func keptParameterSets(_ coding: CodedConfiguration.Coding) -> ParameterSets? {
        guard let box = box(coding.box), let configuration = CodedConfiguration(box, coding) else { return nil }
        return parameterSets.withLock { kept in
            if let kept { return kept }
            let made = ParameterSets(configuration)
            kept = made
            return made
        }
    }
}
