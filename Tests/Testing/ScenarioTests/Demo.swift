import AVFoundation
import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

@testable import AVFCapture
@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioRun

/// A scenario that uses every section and verb.
let everything = """
    # a comment
    scenario: Everything
    format: 1
    tags: [focus, low-light]
    about: |
      Two lines
      of text.
    clip: {source: synthetic, size: 640x360, fps: 30000/1001, length: 12s, seed: 42, detections: vision}
    device: {camera: trueDepth, aperture: f/4.5, focalLength: 30mm}
    view: {size: 844x390, gravity: fill, rotation: 90deg, mirrored: true}
    light: 180lx
    tuning: {longPress: 350ms, faceAwayYaw: 45°, rack: 600ms, lowLight: {enter: 12lx, leave: 20lx, hold: 500ms}}
    environment:
      backdrop: street
      wallDepth: 9m
      table: {depth: 1.2m, drop: 40cm}
      lights:
        - {at: [0.2, 0.1], depth: 6m, color: "#ff8000", size: 0.5%}
        - {from: [0, 0.1], to: [1, 0.2], sag: 10%, count: 5, depth: 7m, color: [warm, white]}
        - {over: [0.5, 0.1, 0.4, 0.2], count: 30, depth: [5m, 9m]}
    subjects:
      maya: {kind: face, box: [0.40, 0.20, 0.16, 0.26], depth: 1.4m, facing: camera, texture: red}
      cat: {kind: catBody, at: [0.5, 0.5], height: 30cm, depth: 2m, enters: 3s, exits: 11s}
      tom: {kind: person, box: [0.7, 0.1, 0.2, 0.8], depth: 3m, facing: -30deg}
    timeline:
      - 0s: {mark: start}
      - 0.5s: {expect: {focus: maya, mode: weak, settled: true}}
      - 15f: {expect: {focus: {kind: salient, near: {meta: [0.5, 0.5]}}, within: 1s}}
      - 1s: {move: {subject: cat, to: [0.44, 0.5, 0.3, 0.38], depth: 1m, over: 2s, ease: out}}
      - +0.5s: {turn: {subject: maya, to: away, over: 400ms}, mark: looks-away}
      - looks-away+250ms: {tap: {on: maya, offset: [0.5, 0.8]}}
      - 2s: {press: {view: [0.5, 0.5], for: 310ms}}
      - 3s: {touch: [{down: {pt: [10, 20]}}, {wait: 50ms}, {move: {px: [320, 180]}}, {wait: 50ms}, up]}
      - 4s: {set: {aperture: f/2.0}}
      - 5s: {exit: {subject: tom, to: left, over: 1s}}
      - 7s: {enter: tom}
      - 8s: {light: {to: 3lx, over: 300ms}, camera: {pan: 5deg, shake: 0.2%, over: 1s, ease: linear}}
      - 9s: {cover: {for: 500ms}}
      - 10s: {expect: {fixed: true, racking: false, distance: 0.7m ±5%, aperture: f/2.0, status: [notEnoughLight]}}
      - end: {expect: {focus: none, status: []}}
    """

/// Everything that reached the app, in order.
final class Recorder: TouchTarget {
    private let events = Mutex<[String]>([])
    var log: [String] { events.withLock { $0 } }
    func note(_ text: String) { events.withLock { $0.append(text) } }

    func touchDown(at point: CGPoint, time: Int64) { note("down \(Int(point.x)),\(Int(point.y)) \(time / 1_000_000)") }
    func touchMoved(to point: CGPoint, time: Int64) { note("move \(Int(point.x)),\(Int(point.y)) \(time / 1_000_000)") }
    func touchUp(at point: CGPoint, time: Int64) { note("up \(Int(point.x)),\(Int(point.y)) \(time / 1_000_000)") }
    func timePassed(to time: Int64) { note("passed \(time / 1_000_000)") }

    /// A view of 100 x 100 points that shows the whole picture.
    func connections() -> TouchConnections {
        TouchConnections(
            target: self,
            layerRect: { CGRect(x: $0.minX * 100, y: $0.minY * 100, width: $0.width * 100, height: $0.height * 100) },
            setAperture: { fNumber in self.note("aperture \(fNumber)") })
    }
}

/// A tiny frame at `index` / 30 s with what is really there.
func frame(_ index: Int, truth: [Detection]? = nil, lux: Double? = nil) -> Frame {
    let exposure = lux.map { Exposure(duration: 0.01, iso: 100, fNumber: 2, level: $0 / 1000) }
    return Frame(
        index: index, presentationTime: CMTime(value: Int64(index), timescale: 30),
        image: CVPixelBuffer(width: 16, height: 16, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange), exposure: exposure, truth: truth)
}

func subject(_ name: String, _ id: Int, x: Double, disparity: Double) -> Detection {
    Detection(objectID: id, kind: .face, bounds: CGRect(x: x, y: 0.25, width: 0.25, height: 0.5), yaw: 0, disparity: disparity, label: name)
}

/// A scenario of 2 s with a maya and a 100 x 100 view.
func small(_ timeline: String, length: String = "2s", sections: String = "") throws -> ScenarioFile {
    try ScenarioFile.parse(
        """
        scenario: Small
        clip: {source: synthetic, size: 64x36, length: \(length)}
        view: {size: 100x100, gravity: resize}
        subjects:
          maya: {kind: face, box: [0.25, 0.25, 0.25, 0.5], depth: 1m}
          cat: {kind: catHead, box: [0.6, 0.25, 0.25, 0.5], depth: 2m}
        timeline:
        \(timeline)
        \(sections)
        """, path: "small.yaml")
}
