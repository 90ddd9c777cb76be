@_exported import Foundation

// The order in which work for a picture is encoded, committed and waited for, under Metal's names.
//
// Nothing is drawn by it: a device has no shaders, textures or buffers of its own. A command buffer holds the work of the modules that take one
// (`Cinematic`) and runs it when it is committed. Coverage.md lists what there is.
//
//     let queue = MTLCreateSystemDefaultDevice()!.makeCommandQueue()!
//     let buffer = queue.makeCommandBuffer()!
//     session.encodeRender(to: buffer, …)
//     buffer.commit()
//     buffer.waitUntilCompleted()
