import CoreVideo
import Foundation

// Keys of properties and wishes; their texts are their names' ends, as on Apple's systems.

/// Property of a compressor: real time.
public nonisolated(unsafe) let kVTCompressionPropertyKey_RealTime: CFString = "RealTime"
/// Property of a compressor: profile level.
public nonisolated(unsafe) let kVTCompressionPropertyKey_ProfileLevel: CFString = "ProfileLevel"
/// Property of a compressor: average bit rate.
public nonisolated(unsafe) let kVTCompressionPropertyKey_AverageBitRate: CFString = "AverageBitRate"
/// Property of a compressor: data rate limits.
public nonisolated(unsafe) let kVTCompressionPropertyKey_DataRateLimits: CFString = "DataRateLimits"
/// Property of a compressor: expected frame rate.
public nonisolated(unsafe) let kVTCompressionPropertyKey_ExpectedFrameRate: CFString = "ExpectedFrameRate"
/// Property of a compressor: max key frame interval.
public nonisolated(unsafe) let kVTCompressionPropertyKey_MaxKeyFrameInterval: CFString = "MaxKeyFrameInterval"
/// Property of a compressor: max key frame interval duration.
public nonisolated(unsafe) let kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration: CFString = "MaxKeyFrameIntervalDuration"
/// Property of a compressor: allow frame reordering.
public nonisolated(unsafe) let kVTCompressionPropertyKey_AllowFrameReordering: CFString = "AllowFrameReordering"
/// Property of a compressor: allow temporal compression.
public nonisolated(unsafe) let kVTCompressionPropertyKey_AllowTemporalCompression: CFString = "AllowTemporalCompression"
/// Property of a compressor: h264 entropy mode.
public nonisolated(unsafe) let kVTCompressionPropertyKey_H264EntropyMode: CFString = "H264EntropyMode"
/// Property of a compressor: quality.
public nonisolated(unsafe) let kVTCompressionPropertyKey_Quality: CFString = "Quality"
/// Property of a compressor: color primaries.
public nonisolated(unsafe) let kVTCompressionPropertyKey_ColorPrimaries: CFString = "ColorPrimaries"
/// Property of a compressor: transfer function.
public nonisolated(unsafe) let kVTCompressionPropertyKey_TransferFunction: CFString = "TransferFunction"
/// Property of a compressor: ycb cr matrix.
public nonisolated(unsafe) let kVTCompressionPropertyKey_YCbCrMatrix: CFString = "YCbCrMatrix"
/// Property of a compressor: hdrmetadata insertion mode.
public nonisolated(unsafe) let kVTCompressionPropertyKey_HDRMetadataInsertionMode: CFString = "HDRMetadataInsertionMode"
/// Property of a compressor: max frame delay count.
public nonisolated(unsafe) let kVTCompressionPropertyKey_MaxFrameDelayCount: CFString = "MaxFrameDelayCount"
/// Property of a compressor: max h264 slice bytes.
public nonisolated(unsafe) let kVTCompressionPropertyKey_MaxH264SliceBytes: CFString = "MaxH264SliceBytes"
/// Property of a compressor: pixel buffer pool is shared.
public nonisolated(unsafe) let kVTCompressionPropertyKey_PixelBufferPoolIsShared: CFString = "PixelBufferPoolIsShared"
/// Property of a compressor: pixel transfer properties.
public nonisolated(unsafe) let kVTCompressionPropertyKey_PixelTransferProperties: CFString = "PixelTransferProperties"
/// Property of a compressor: prioritize encoding speed over quality.
public nonisolated(unsafe) let kVTCompressionPropertyKey_PrioritizeEncodingSpeedOverQuality: CFString = "PrioritizeEncodingSpeedOverQuality"
/// Property of a compressor: constant bit rate.
public nonisolated(unsafe) let kVTCompressionPropertyKey_ConstantBitRate: CFString = "ConstantBitRate"
/// Property of a compressor: base layer frame rate.
public nonisolated(unsafe) let kVTCompressionPropertyKey_BaseLayerFrameRate: CFString = "BaseLayerFrameRate"
/// Property of a compressor: target quality for alpha.
public nonisolated(unsafe) let kVTCompressionPropertyKey_TargetQualityForAlpha: CFString = "TargetQualityForAlpha"
/// Property of a compressor: using hardware accelerated video encoder.
public nonisolated(unsafe) let kVTCompressionPropertyKey_UsingHardwareAcceleratedVideoEncoder: CFString = "UsingHardwareAcceleratedVideoEncoder"
/// Property of a compressor: number of pending frames.
public nonisolated(unsafe) let kVTCompressionPropertyKey_NumberOfPendingFrames: CFString = "NumberOfPendingFrames"

/// Wish for a frame: force key frame.
public nonisolated(unsafe) let kVTEncodeFrameOptionKey_ForceKeyFrame: CFString = "ForceKeyFrame"

/// Wish for an encoder: enable hardware accelerated video encoder.
public nonisolated(unsafe) let kVTVideoEncoderSpecification_EnableHardwareAcceleratedVideoEncoder: CFString = "EnableHardwareAcceleratedVideoEncoder"
/// Wish for an encoder: require hardware accelerated video encoder.
public nonisolated(unsafe) let kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder: CFString =
    "RequireHardwareAcceleratedVideoEncoder"
/// Wish for an encoder: enable low latency rate control.
public nonisolated(unsafe) let kVTVideoEncoderSpecification_EnableLowLatencyRateControl: CFString = "EnableLowLatencyRateControl"

/// Wish for a decoder: enable hardware accelerated video decoder.
public nonisolated(unsafe) let kVTVideoDecoderSpecification_EnableHardwareAcceleratedVideoDecoder: CFString = "EnableHardwareAcceleratedVideoDecoder"
/// Wish for a decoder: require hardware accelerated video decoder.
public nonisolated(unsafe) let kVTVideoDecoderSpecification_RequireHardwareAcceleratedVideoDecoder: CFString =
    "RequireHardwareAcceleratedVideoDecoder"

/// Property of a decompressor: real time.
public nonisolated(unsafe) let kVTDecompressionPropertyKey_RealTime: CFString = "RealTime"
/// Property of a decompressor: thread count.
public nonisolated(unsafe) let kVTDecompressionPropertyKey_ThreadCount: CFString = "ThreadCount"
/// Property of a decompressor: using hardware accelerated video decoder.
public nonisolated(unsafe) let kVTDecompressionPropertyKey_UsingHardwareAcceleratedVideoDecoder: CFString = "UsingHardwareAcceleratedVideoDecoder"

/// Property of a conversion: scaling mode.
public nonisolated(unsafe) let kVTPixelTransferPropertyKey_ScalingMode: CFString = "ScalingMode"
/// Property of a conversion: destination ycb cr matrix.
public nonisolated(unsafe) let kVTPixelTransferPropertyKey_DestinationYCbCrMatrix: CFString = "DestinationYCbCrMatrix"
/// Property of a conversion: real time.
public nonisolated(unsafe) let kVTPixelTransferPropertyKey_RealTime: CFString = "RealTime"

/// Profile and level: H264, Baseline AutoLevel.
public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_AutoLevel: CFString = "H264_Baseline_AutoLevel"
/// Profile and level: H264, Baseline 3 1.
public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_3_1: CFString = "H264_Baseline_3_1"
/// Profile and level: H264, ConstrainedBaseline AutoLevel.
public nonisolated(unsafe) let kVTProfileLevel_H264_ConstrainedBaseline_AutoLevel: CFString = "H264_ConstrainedBaseline_AutoLevel"
/// Profile and level: H264, Main AutoLevel.
public nonisolated(unsafe) let kVTProfileLevel_H264_Main_AutoLevel: CFString = "H264_Main_AutoLevel"
/// Profile and level: H264, Main 3 1.
public nonisolated(unsafe) let kVTProfileLevel_H264_Main_3_1: CFString = "H264_Main_3_1"
/// Profile and level: H264, High AutoLevel.
public nonisolated(unsafe) let kVTProfileLevel_H264_High_AutoLevel: CFString = "H264_High_AutoLevel"
/// Profile and level: H264, High 3 1.
public nonisolated(unsafe) let kVTProfileLevel_H264_High_3_1: CFString = "H264_High_3_1"
/// Profile and level: H264, High 4 0.
public nonisolated(unsafe) let kVTProfileLevel_H264_High_4_0: CFString = "H264_High_4_0"
/// Profile and level: H264, ConstrainedHigh AutoLevel.
public nonisolated(unsafe) let kVTProfileLevel_H264_ConstrainedHigh_AutoLevel: CFString = "H264_ConstrainedHigh_AutoLevel"
/// Profile and level: HEVC, Main AutoLevel.
public nonisolated(unsafe) let kVTProfileLevel_HEVC_Main_AutoLevel: CFString = "HEVC_Main_AutoLevel"
/// Profile and level: HEVC, Main10 AutoLevel.
public nonisolated(unsafe) let kVTProfileLevel_HEVC_Main10_AutoLevel: CFString = "HEVC_Main10_AutoLevel"
/// Entropy coding of H.264: CAVLC.
public nonisolated(unsafe) let kVTH264EntropyMode_CAVLC: CFString = "CAVLC"
/// Entropy coding of H.264: CABAC.
public nonisolated(unsafe) let kVTH264EntropyMode_CABAC: CFString = "CABAC"
/// Scaling of a conversion: normal.
public nonisolated(unsafe) let kVTScalingMode_Normal: CFString = "Normal"
/// Scaling of a conversion: crop source to clean aperture.
public nonisolated(unsafe) let kVTScalingMode_CropSourceToCleanAperture: CFString = "CropSourceToCleanAperture"
/// Scaling of a conversion: letterbox.
public nonisolated(unsafe) let kVTScalingMode_Letterbox: CFString = "Letterbox"
/// Scaling of a conversion: trim.
public nonisolated(unsafe) let kVTScalingMode_Trim: CFString = "Trim"
