/// Cameras of this machine over Video4Linux2 (V4L2): what there is, what each can do, and its pictures as `420v` frames at the driver's times.
///
/// It decides nothing about focus and knows no file. Pictures are converted once, from the driver's memory to the pipeline's buffers.
///
///     let camera = try VideoCamera.all()[0]
///     let source = try CameraSource(camera, width: 1280, height: 720, frameDuration: CMTime(value: 1, timescale: 30))
///     while let frame = try source.nextFrame() { … }
///     source.close()                                // format, rate and controls are as they were before
///
/// | type | is |
/// |---|---|
/// | `VideoCamera` | a camera as its driver describes it: identity, modes, controls, or why it cannot be used |
/// | `CameraSource` | its frames, with losses counted |
/// | `CameraStream` | the buffers between driver and program |
/// | `VideoNode`, `VideoSystem` | the system calls, the kernel's or a played driver's |
/// | `VideoDeviceError` | what failed, errno, and what to do |
