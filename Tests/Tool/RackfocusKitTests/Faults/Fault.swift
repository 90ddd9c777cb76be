import Foundation

/// A way in which a call at the seam to C fails (see `faults.c`).
struct Fault: Sendable, CustomStringConvertible {
    let call: String
    /// An errno, a VkResult or an AVERROR; `short` for a write of one byte.
    var error: String
    /// Whether all calls after the failing one fail, too.
    var lasts = false
    /// Whether nobody may notice: the call is to be repeated, or carried on.
    var isHarmless: Bool { error == String(EINTR) || error == "short" }
    /// Whether FFmpeg may crash: it does where it has no memory of its own (`av_assert0` in `avcodec_alloc_context3`, for one), and leaves what SIGKILL
    /// would.
    var mayCrash: Bool { call == "memory" }
    /// Most calls that are failed one by one; of more, as many evenly spread.
    var mostCalls = 400

    var description: String { "\(call) \(error)\(lasts ? " and on" : "")" }

    private static func files(_ call: String, _ errors: [Int32], lasts: Bool = false) -> [Fault] {
        errors.map { Fault(call: call, error: String($0), lasts: lasts) }
    }

    private static func codes(_ calls: [String], _ error: Int32) -> [Fault] {
        calls.map { Fault(call: $0, error: String(error), mostCalls: 40) }
    }

    /// The file system, for files below the command's own folder: no room, broken, full of open files, interrupted.
    static let files: [Fault] =
        files("rename", [EIO, ENOSPC]) + files("write", [EIO, EINTR]) + files("write", [ENOSPC], lasts: true)
        + [Fault(call: "write", error: "short")] + files("fsync", [EIO, EINTR]) + files("open", [EMFILE, EINTR])
        + files("open", [ENOSPC], lasts: true) + files("mkdir", [ENOSPC]) + files("close", [EIO, EINTR]) + files("ftruncate", [EIO, EINTR])
        + files("read", [EIO, EINTR])

    /// Processes and what they are told by.
    static let processes: [Fault] =
        [
            ("fork", EAGAIN), ("pipe", EMFILE), ("pipe2", EMFILE), ("socketpair", EMFILE), ("poll", EINTR), ("waitid", EINTR), ("waitpid", EINTR),
            ("send", EINTR),
        ]
        .map { Fault(call: $0.0, error: String($0.1)) }

    /// AVERROR_EXTERNAL: a codec's own failure.
    private static let external: Int32 = -542_398_533

    /// FFmpeg: memory that it asks for or is to hand out, its codecs, its muxers and demuxers.
    static let media: [Fault] =
        [Fault(call: "memory", error: "0", mostCalls: 120)]
        + codes(
            [
                "av_frame_alloc", "av_packet_alloc", "av_buffer_create", "avcodec_alloc_context3", "avformat_alloc_context", "avformat_new_stream",
                "avio_alloc_context", "sws_getContext", "avformat_alloc_output_context2", "av_frame_get_buffer",
            ], -ENOMEM)
        + codes(
            [
                "avcodec_open2", "avcodec_send_frame", "avcodec_receive_packet", "avcodec_send_packet", "avcodec_receive_frame", "sws_scale",
                "avcodec_parameters_from_context", "avcodec_parameters_copy",
            ], external)
        + codes(["avformat_write_header", "av_interleaved_write_frame", "av_write_frame", "av_write_trailer", "avio_open", "avio_closep"], -ENOSPC)
        + codes(["av_interleaved_write_frame", "av_write_frame", "avformat_open_input", "avformat_find_stream_info", "av_read_frame"], -EIO)

    /// Vulkan: no memory on the device or beside it, and a device that is lost.
    static let vulkan: [Fault] =
        codes(["vkAllocateMemory", "vkCreateBuffer", "vkCreateImage", "vkCreateDevice", "vkQueueSubmit", "vkMapMemory"], -2)
        + codes(["vkQueueSubmit", "vkWaitForFences", "vkCreateComputePipelines"], -4)
        + codes(
            [
                "vkCreateInstance", "vkCreateShaderModule", "vkCreatePipelineLayout", "vkCreateDescriptorPool", "vkCreateDescriptorSetLayout",
                "vkCreateCommandPool", "vkCreateFence", "vkCreateImageView", "vkAllocateCommandBuffers", "vkAllocateDescriptorSets",
                "vkBindBufferMemory", "vkBindImageMemory", "vkBeginCommandBuffer", "vkEndCommandBuffer", "vkResetFences", "vkCreatePipelineCache",
            ], -1)

    /// Those that a command can meet.
    static func all(of subject: FaultSubject) -> [Fault] {
        switch subject {
        case .render, .footage: files + media
        case .lens: vulkan
        case .test: files + processes
        case .merge: files
        case .recover, .recording, .cinematic: files + media
        }
    }
}
