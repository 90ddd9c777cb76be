// CaptureTesting: unit tests of a camera app on a simulated phone, with a stage before its cameras, touches and a virtual clock.
//
// The app's own code runs as it is, against `AVFoundation`. A test puts subjects before the cameras, lets virtual time pass frame by
// frame, taps and presses for exact times, plays system events (permissions, calls, heat, plugs), and asserts the state of focus:
//
//     let stage = TestStage(.face("maya", box: CGRect(x: 0.2, y: 0.2, width: 0.2, height: 0.4), depth: 1.5))
//
//     @Test func aTapHoldsFocus() async throws {
//         try await withTestPhone(showing: stage) { phone in
//             let camera = CameraModel()
//             try await camera.start()
//             phone.touch(tap: { await camera.tap(at: $0) }, longPress: { await camera.hold(at: $0) })
//             try await phone.expect(focus: "maya", mode: .weak, within: .seconds(1))
//             try await phone.tap("maya")
//             try await phone.expect(focus: "maya", mode: .strong)
//         }
//     }
//
// Nothing waits for the wall clock: a minute of capture takes milliseconds and comes out the same each time. A frame is over when
// every delegate has had it, on the queue it asked for. Work that an app sends on from its delegates to other actors comes a little
// later in real time; `until` waits for it. A call that would end an app on Apple's systems fails the test, or is expected with
// `expectViolation`. Errors are thrown (`TestFailure`), so that both Swift Testing and XCTest can be used.
//
// It needs libyaml and libjpeg and nothing else: no OpenCV, no Vulkan, no FFmpeg. Pictures are plain grey unless the stage
// `paintsPictures`, the lens changes none of them, a recording is kept as a list of times (`TestPhone.movies`), and the file of a photo is
// a JPEG with EXIF data, also where HEVC was asked for, or a PNG for one that was asked for in a pixel format.
//
// TestStage            subjects present, and the phone's cameras; or a scenario file
// TestPhone            the phone: +Time steps, +World moves subjects, +Fingers touches, +Expect asserts the state of focus,
//                      +Scenario plays the timeline of a file; `conditions` is the system around the app
// TestMovie            a recording
// TestFailure          an expectation, and the state found instead
// AVMetadata…Object    public initialisers, to call a delegate by hand
