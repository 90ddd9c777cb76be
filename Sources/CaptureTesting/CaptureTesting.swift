// What the unit tests of a camera app import: a phone that is not there, a stage before its cameras, a finger and a clock.
//
// The app's own code runs as it is, against `AVFoundation`. A test puts subjects before the cameras, lets virtual time pass frame by
// frame, taps and presses for exact times, plays what the system does (permissions, calls, heat, plugs), and says what must be so:
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
// every delegate has had it, on the queue it asked for. What an app sends on from its delegates to other actors comes a little
// later in real time; `until` waits for it. What would end an app on Apple's systems fails the test, or is expected with
// `expectViolation`. Errors are thrown (`TestFailure`), so that both Swift Testing and XCTest can be used.
//
// It needs libyaml and nothing else: no OpenCV, no Vulkan, no FFmpeg. Pictures are plain grey unless the stage `paintsPictures`, the
// lens changes none of them, and a recording is kept as a list of times (`TestPhone.movies`).
//
// TestStage            who is there, and which cameras the phone has; or a scenario file
// TestPhone            the phone: +Time steps, +World moves who is there, +Fingers touches, +Expect says what must be so,
//                      +Scenario plays the timeline of a file; `conditions` is the system around the app
// TestMovie            what was recorded
// TestFailure          what was expected, and what was there instead
// AVMetadata…Object    can be made here, to call a delegate by hand
