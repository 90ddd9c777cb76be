import CoreVideo
import Foundation
import Pipeline
import Testing

@testable import Vision

@Suite("Layers of plain video")
struct LayeredSceneTests {
    private static let (width, height) = (320, 180)
    /// The face of a drawn person, pixels, and where the shoes end.
    private static let (face, feet) = (CGRect(x: 153, y: 16, width: 14, height: 18), 162)

    /// Luma and colour of a person with hair, face, shirt and trousers; nil beside the figure.
    private static func figure(_ x: Int, _ y: Int) -> (luma: Int, chroma: (Int, Int))? {
        let (dx, dy) = (Double(x) + 0.5 - face.midX, Double(y) + 0.5 - face.midY)
        if pow(dx / 9, 2) + pow((dy + 2) / 13, 2) < 1 { return dy < -6 ? (40, (124, 132)) : (170, (112, 150)) }
        if abs(dx) < 5, (34..<42).contains(y) { return (165, (112, 150)) }
        if abs(dx) < 20, (40..<100).contains(y) { return (90, (160, 110)) }
        if abs(dx) > 1.5, abs(dx) < 11, (100..<feet).contains(y) { return (50, (140, 120)) }
        return nil
    }

    /// The person before a wall of another colour, `far` times as far away; `grain` adds noise of its own to each frame. Drawn in outline, shirt and trousers
    /// have the wall's colours, which tell nothing then.
    private static func picture(grain: Int? = nil, far: Int = 1, isOutline: Bool = false) -> CVPixelBuffer {
        func drawn(_ x: Int, _ y: Int) -> (luma: Int, chroma: (Int, Int))? {
            let (across, down) = (width / 2 + far * (x - width / 2), far * y)
            guard isOutline, down >= 42, let tone = figure(across, down) else { return figure(across, down) }
            let line = 3 * far
            let isInside = [(-line, 0), (line, 0), (0, -line), (0, line)].allSatisfy { figure(across + $0.0, down + $0.1) != nil }
            return isInside ? nil : tone
        }
        return Pictures.picture(
            width, height,
            luma: { x, y in
                let noise = grain.map { (Pictures.speckle(x + 977 * $0, y) - 120) / 20 } ?? 0
                return (drawn(x, y)?.luma ?? 120 + Pictures.speckle(x / 6, y / 6) / 8) + noise
            },
            chroma: { x, y in drawn(x, y)?.chroma ?? (128, 132) })
    }

    private static var faces: [Detection] {
        let (w, h) = (Double(width), Double(height))
        let box = CGRect(x: face.minX / w, y: face.minY / h, width: face.width / w, height: face.height / h)
        return [Detection(objectID: 1, groupID: 1, kind: .face, bounds: box, yaw: 0)]
    }

    private static func value(_ map: DisparityMap, _ x: Int, _ y: Int) -> Double {
        Double(map.row(y * map.height / height)[x * map.width / width])
    }

    @Test("a person is one surface from hair to shoes, and what is behind is behind")
    func onePerson() throws {
        let map = try MonocularDepthEstimator().disparity(of: Pictures.frame(Self.picture()), detections: Self.faces)
        let person = Self.value(map, 160, 25)
        for (x, y) in [(160, 14), (160, 60), (146, 70), (174, 90), (153, 120), (167, 150)] {
            #expect(abs(Self.value(map, x, y) / person - 1) < 0.05, "at \(x), \(y)")
        }
        for (x, y) in [(100, 20), (220, 40), (110, 50), (210, 60)] { #expect(Self.value(map, x, y) < 0.5 * person, "at \(x), \(y)") }
    }

    @Test("what is seen of the wall within the box of a face is as near as the face, wherever the box lies: else a profile's sharpness would step")
    func beyondProfile() throws {
        for shift in 4..<8 {
            let box = Self.faces[0].bounds.offsetBy(dx: Double(shift) / Double(Self.width), dy: 0)
            let face = Detection(objectID: 1, groupID: 1, kind: .face, bounds: box, yaw: 0)
            let map = try MonocularDepthEstimator().disparity(of: Pictures.frame(Self.picture()), detections: [face])
            let columns = Int(Self.face.minX) + shift..<Int(Self.face.maxX) + shift
            let nearness = columns.map { Self.value(map, $0, Int(Self.face.midY)) / Self.value(map, 160, 25) }
            #expect(nearness.allSatisfy { abs($0 - 1) < 0.01 }, "by \(shift): \(nearness)")
        }
    }

    @Test("a box of which a person fills a quarter is as far as the person, one beside the person as far as the wall")
    func box() throws {
        let map = try MonocularDepthEstimator().disparity(of: Pictures.frame(Self.picture()), detections: Self.faces)
        func nearness(from left: Double) throws -> Double {
            let box = CGRect(x: left / Double(Self.width), y: 0.3, width: 32 / Double(Self.width), height: 0.2)
            return try #require(map.median(in: box)) / Self.value(map, 160, 25)
        }
        #expect(try abs(nearness(from: 170) - 1) < 0.05)
        #expect(try nearness(from: 200) < 0.5)
    }

    @Test("just outside of an outline that colours do not tell is nearly as near as the person, less and less with the distance: hands may lie there")
    func feather() throws {
        let picture = Self.picture(isOutline: true)
        let map = try MonocularDepthEstimator().disparity(of: Pictures.frame(picture), detections: Self.faces)
        let person = Self.value(map, 160, 25)
        let beside = stride(from: 185, through: 225, by: 5).map { Self.value(map, $0, 60) / person }
        #expect(beside[0] > 0.5 && zip(beside, beside.dropFirst()).allSatisfy { $0 >= $1 }, "\(beside)")
        #expect(beside[7] == beside[8] && beside[8] < 0.5 * beside[0], "\((160..<260).map { Self.value(map, $0, 60) / person })")
    }

    @Test("the nearness beside a small person ends sooner: so near to them are their hands")
    func smallFeather() throws {
        let picture = Self.picture(far: 2, isOutline: true)
        let (w, h) = (Double(Self.width), Double(Self.height))
        let size = CGSize(width: Self.face.width / 2 / w, height: Self.face.height / 2 / h)
        let box = CGRect(origin: CGPoint(x: (1 - size.width) / 2, y: Self.face.minY / 2 / h), size: size)
        let face = Detection(objectID: 1, groupID: 1, kind: .face, bounds: box, yaw: 0)
        let map = try MonocularDepthEstimator().disparity(of: Pictures.frame(picture), detections: [face])
        let (beside, away) = (Self.value(map, 174, 30), Self.value(map, 184, 30))
        #expect(beside > 1.5 * away && away == Self.value(map, 220, 30), "\((160..<200).map { Self.value(map, $0, 30) })")
    }

    @Test("in the first picture of an opened shot, what looks like the wall farther out is wall beside the person, more surely than without")
    func wall() throws {
        let frames = (0..<30).map { Pictures.frame(Self.picture(grain: $0), index: $0) }
        let (opened, plain) = (try MonocularDepthEstimator(), try MonocularDepthEstimator())
        for frame in frames { try opened.prepare(frame) }
        try opened.open(frames.map { ($0, Self.faces) })
        let beside = try [opened, plain].map { estimator in
            let map = try estimator.disparity(of: frames[0], detections: Self.faces)
            return [126, 130, 190, 194].map { Self.value(map, $0, 60) / Self.value(map, 160, 25) }
        }
        #expect(zip(beside[0], beside[1]).allSatisfy { $0 < $1 - 0.01 && $0 < 0.4 }, "\(beside)")
    }

    @Test("pixels that mix a person with the wall belong to the person: left behind, they would stay sharp before a blurred one")
    func mixedPixels() throws {
        /// The mean of a pixel beside the figure and its neighbour on it, as a camera has it.
        func mixed(_ x: Int, _ y: Int) -> (luma: Int, chroma: (Int, Int))? {
            guard Self.figure(x, y) == nil, let beside = Self.figure(x - 1, y) ?? Self.figure(x + 1, y) else { return Self.figure(x, y) }
            return ((beside.luma + 120) / 2, ((beside.chroma.0 + 128) / 2, (beside.chroma.1 + 132) / 2))
        }
        let picture = Pictures.picture(
            Self.width, Self.height, luma: { x, y in mixed(x, y)?.luma ?? 120 + Pictures.speckle(x / 6, y / 6) / 8 },
            chroma: { x, y in mixed(x, y)?.chroma ?? (128, 132) })
        let map = try MonocularDepthEstimator().disparity(of: Pictures.frame(picture), detections: Self.faces)
        let person = Self.value(map, 160, 25)
        for y in stride(from: 50, to: 92, by: 4) {
            for x in [139, 180] { #expect(abs(Self.value(map, x, y) / person - 1) < 0.1, "at \(x), \(y)") }
        }
    }

    @Test("the ground runs from the feet to the horizon and no farther")
    func ground() throws {
        let map = try MonocularDepthEstimator().disparity(of: Pictures.frame(Self.picture()), detections: Self.faces)
        let column = (0..<Self.height).map { Self.value(map, 60, $0) }
        #expect(zip(column, column.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(abs(column[Self.feet - 1] / Self.value(map, 160, 25) - 1) < 0.1)
        #expect(column[10] == column[0] && column[10] < 0.1)
    }

    @Test("the outline of somebody who stands still does not boil with the grain of the film")
    func steady() throws {
        let estimator = try MonocularDepthEstimator()
        var (before, flips, pixels) = ([Bool](), 0, 0)
        // The rise beside the outline falls back as the wall becomes known.
        let opening = 15
        for index in 0..<2 * opening {
            let map = try estimator.disparity(of: Pictures.frame(Self.picture(grain: index), index: index), detections: Self.faces)
            let threshold = Self.value(map, 160, 25) / 2
            // Above the ground, whose own half lies lower.
            let now = (0..<Self.height / 3).flatMap { y in (0..<Self.width).map { x in Self.value(map, x, y) > threshold } }
            if index > opening {
                flips += zip(before, now).count { $0 != $1 }
                pixels += now.count { $0 }
            }
            before = now
        }
        #expect(Double(flips) < 0.01 * Double(pixels), "\(flips) of \(pixels)")
    }

    /// A ball that rolls over a still pattern.
    private static func ball(_ index: Int) -> CVPixelBuffer {
        Pictures.picture(width, height) { x, y in
            let isBall = pow(Double(x - 60 - 4 * index), 2) + pow(Double(y - 110), 2) < 400
            return isBall ? 200 - Pictures.speckle((x - 4 * index) / 5, y / 5) / 3 : 60 + Pictures.speckle(x / 5, y / 5) / 4
        }
    }

    @Test("what moves before a still camera stands out though nothing knows its kind")
    func moving() throws {
        let estimator = try MonocularDepthEstimator()
        var map: DisparityMap?
        for index in 0..<30 { map = try estimator.disparity(of: Pictures.frame(Self.ball(index), index: index), detections: []) }
        let last = try #require(map)
        #expect(Self.value(last, 60 + 4 * 29, 100) > Self.value(last, 30, 100) + 0.08)
        // It leaves nothing where it passed.
        for x in [60, 80, 100, 120] { #expect(abs(Self.value(last, x, 110) - Self.value(last, 20, 110)) < 0.02, "at \(x)") }
    }

    @Test("what moves in a shot's first second stands out in its first picture, where the shot is opened", arguments: [false, true])
    func opening(isOpened: Bool) throws {
        let estimator = try MonocularDepthEstimator()
        let frames = (0..<30).map { Pictures.frame(Self.ball($0), index: $0) }
        for frame in frames { try estimator.prepare(frame) }
        if isOpened { try estimator.open(frames.map { ($0, []) }) }
        for (index, frame) in frames.enumerated() {
            let map = try estimator.disparity(of: frame, detections: [])
            let stands = Self.value(map, 60 + 4 * index, 100) > Self.value(map, 20, 100) + 0.08
            if index == 0 || index > 25 { #expect(stands == (isOpened || index > 25), "picture \(index)") }
        }
    }

    /// Mask of upright blocks by their left sides, 10 wide and 30 high, of a picture of 80 x 45.
    private static func blocks(_ lefts: Int...) -> SoftMask {
        var mask = SoftMask(width: 80, height: 45)
        for left in lefts { for y in 8..<38 { for x in left..<left + 10 { mask.values[80 * y + x] = 1 } } }
        return mask
    }

    /// Evidence of a plate of that picture that knows nothing.
    private static let unknown = [Float](repeating: 0, count: 80 * 45)

    @Test("a thing that rests goes back into the background, but not while the plate sees it in front", arguments: [false, true])
    func rest(isSeen: Bool) {
        var list = ThingList()
        func step(_ motion: SoftMask?, elapsed: Double?) {
            let foreground = isSeen ? Self.blocks(30).values : Self.unknown
            list.step([], motion: motion, foreground: foreground, people: SoftMask(width: 80, height: 45), elapsed: elapsed)
        }
        step(Self.blocks(30), elapsed: nil)
        list.things[0].cutout.take(Self.blocks(30))
        for _ in 0..<50 { step(nil, elapsed: 0.1) }
        #expect(list.things.map(\.presence) == (isSeen ? [1] : []))
        for _ in 0..<120 { step(nil, elapsed: 0.1) }
        #expect(list.things.isEmpty)
    }

    @Test("things at nearly the same distance are drawn together, others are not", arguments: [(0.27, 0.43, 0.41), (0.1, 0.6, 1)])
    func company(far: Double, near: Double, share: Double) throws {
        var list = ThingList()
        list.step([], motion: Self.blocks(10, 50), foreground: Self.unknown, people: SoftMask(width: 80, height: 45), elapsed: nil)
        #expect(list.things.count == 2)
        (list.things[0].disparity, list.things[1].disparity) = (far, near)
        let drawn = list.disparities.compactMap { $0 }
        let kept = (drawn[1] - drawn[0]) / (near - far)
        #expect(abs(kept - share) < 0.1, "\(drawn)")
    }

    @Test("a part that stands out and moves is as quick at a new outline as what moves and nobody detected")
    func pace() throws {
        var list = ThingList()
        let box = CGRect(x: 30 / 80.0, y: 8 / 45.0, width: 10 / 80.0, height: 30 / 45.0)
        let part = Detection(objectID: 7, kind: .salientObject, bounds: box)
        for isFound in [false, true] {
            let found = isFound ? [part] : []
            list.step(found, motion: Self.blocks(30), foreground: Self.unknown, people: SoftMask(width: 80, height: 45), elapsed: 0.04)
            list.things[0].take(Self.blocks(30))
        }
        list.things[0].take(Self.blocks(31))
        let mask = try #require(list.things[0].cutout.mask)
        let (came, went): (Float, Float) = (mask.values[1640], mask.values[1630])
        #expect(came > 0.75 && went < 0.25)
    }

    @Test("what moves beside a mask before what the plate never saw belongs to it, as far as it does not look like the background")
    func attached() {
        var (foreground, motion) = (Self.unknown, SoftMask(width: 80, height: 45))
        for at in 1640..<1650 {
            if at >= 1645 { foreground[at] = -0.5 }
            motion.values[at] = 1
        }
        let attached = Attachments(to: [Self.blocks(30)], foreground: foreground, motion: motion, width: 80).added(to: Self.blocks(30), of: 0)
        let last = attached.values[1600..<1680].lastIndex(of: 1)
        #expect(last == 1644)
    }

    @Test("two that moved together and part are two things, each with the part of the mask that is nearer to it")
    func parting() throws {
        var list = ThingList()
        func step(_ motion: SoftMask?, box left: Double) {
            let box = CGRect(x: left / 80, y: 8 / 45.0, width: 10 / 80.0, height: 30 / 45.0)
            let seen = Detection(objectID: 7, kind: .salientObject, bounds: box)
            list.step([seen], motion: motion, foreground: Self.unknown, people: SoftMask(width: 80, height: 45), elapsed: 0.04)
        }
        step(nil, box: 40)
        list.things[0].cutout.take(Self.blocks(30, 40))
        step(Self.blocks(26, 44), box: 44)
        #expect(list.things.count == 2)
        let (right, left) = (try #require(list.things.first { $0.objectID == 7 }), try #require(list.things.first { $0.objectID == nil }))
        #expect(try #require(right.cutout.mask?.bounds).minX >= 40 && #require(left.cutout.mask?.bounds).maxX <= 40)
        #expect(left.presence == right.presence)
    }

    @Test("who moved goes on as near and as present when a part that stands out takes the whole over")
    func takenOver() throws {
        var list = ThingList()
        let hand = Detection(objectID: 7, kind: .salientObject, bounds: CGRect(x: 34 / 80.0, y: 20 / 45.0, width: 4 / 80.0, height: 5 / 45.0))
        func step(_ found: [Detection]) {
            list.step(found, motion: Self.blocks(30), foreground: Self.unknown, people: SoftMask(width: 80, height: 45), elapsed: 0.04)
        }
        step([])
        list.things[0].cutout.take(Self.blocks(29))
        list.things[0].disparity = 0.6
        for _ in 0..<25 { step([]) }
        step([hand])
        #expect(list.things.count == 2 && list.things[0].presence == 1 && list.things[1].presence < 0.02)
        // Its outline is nearer to what moves than that of the whole.
        list.things[1].cutout.take(Self.blocks(30))
        step([hand])
        let whole = try #require(list.things.first)
        #expect(list.things.count == 1 && whole.objectID == 7 && whole.presence == 1 && whole.disparity == 0.6)
    }

    @Test("a thing that was found, by a tap for one, is cut out by its outline")
    func found() throws {
        let box = CGRect(x: 40 / 320.0, y: 90 / 180.0, width: 40 / 320.0, height: 40 / 180.0)
        let thing = Detection(objectID: 7, kind: .salientObject, bounds: box)
        let map = try MonocularDepthEstimator().disparity(of: Pictures.frame(Self.ball(0)), detections: [thing])
        let ball = Self.value(map, 60, 110)
        for (x, y) in [(60, 94), (74, 118), (46, 104)] { #expect(abs(Self.value(map, x, y) - ball) < 0.03, "at \(x), \(y)") }
        #expect(ball > Self.value(map, 42, 92) + 0.1)
    }

    @Test("focus finds the thing in the middle of its box, though its mask has lost the thin part there")
    func thin() throws {
        let estimator = try MonocularDepthEstimator()
        var map: DisparityMap?
        var box = CGRect.zero
        for index in 0..<30 {
            // The ball with a stick that is thinner than a pixel of its mask.
            let picture = Pictures.picture(Self.width, Self.height) { x, y in
                let across = x - 60 - 4 * index
                let isStick = across == 0 && (20..<95).contains(y)
                let isMoving = isStick || across * across + (y - 110) * (y - 110) < 400
                return isMoving ? 200 - Pictures.speckle((x - 4 * index) / 5, y / 5) / 3 : 60 + Pictures.speckle(x / 5, y / 5) / 4
            }
            // First the ball stands out, then the stick.
            let (top, size): (Double, Double) = index < 10 ? (94, 32) : (24, 24)
            let left = Double(60 + 4 * index) - size / 2
            box = CGRect(x: left / 320, y: top / 180, width: size / 320, height: size / 180)
            map = try estimator.disparity(
                of: Pictures.frame(picture, index: index), detections: [Detection(objectID: 7, kind: .salientObject, bounds: box, salience: 0.5)])
        }
        let last = try #require(map)
        let ball = Self.value(last, 60 + 4 * 29, 110)
        let focus = try #require(last.median(in: box.insetBy(dx: box.width / 4, dy: box.height / 4)))
        #expect(abs(focus / ball - 1) < 0.1, "\(focus) of \(ball)")
    }

    @Test("what moves along with a thing that was found, beside its box, is not a part of it")
    func beside() throws {
        let estimator = try MonocularDepthEstimator()
        var map: DisparityMap?
        for index in 0..<30 {
            // The ball with a post upon it.
            let picture = Pictures.picture(Self.width, Self.height) { x, y in
                let across = x - 60 - 4 * index
                let isMoving = across * across + (y - 110) * (y - 110) < 400 || abs(across) < 12 && (10..<95).contains(y)
                return isMoving ? 200 - Pictures.speckle((x - 4 * index) / 5, y / 5) / 3 : 60 + Pictures.speckle(x / 5, y / 5) / 4
            }
            let box = CGRect(x: Double(40 + 4 * index) / 320, y: 90 / 180.0, width: 40 / 320.0, height: 40 / 180.0)
            map = try estimator.disparity(
                of: Pictures.frame(picture, index: index), detections: [Detection(objectID: 7, kind: .dogBody, bounds: box)])
        }
        let last = try #require(map)
        let (ball, post) = (Self.value(last, 60 + 4 * 29, 112), Self.value(last, 60 + 4 * 29, 40))
        #expect(ball > Self.value(last, 20, 112) + 0.08 && post < ball - 0.08, "ball \(ball), post \(post)")
    }

    @Test("a camera that turns leaves nothing standing out")
    func turning() throws {
        let estimator = try MonocularDepthEstimator()
        var map: DisparityMap?
        for index in 0..<15 {
            let picture = Pictures.picture(Self.width, Self.height) { x, y in 60 + Pictures.speckle((x + 2 * index) / 5, y / 5) / 2 }
            map = try estimator.disparity(of: Pictures.frame(picture, index: index), detections: [])
        }
        let last = try #require(map)
        for y in [40, 90, 130, 170] { #expect(Self.value(last, 40, y) == Self.value(last, 280, y)) }
    }

    @Test("what differs from a plain background is cut out with the subject, though the outline by the face does not reach it")
    func beyondOutline() throws {
        let (width, height) = (80, 45)
        let tones = Raster(width: width, height: height, channels: 3)
        let box = try #require(PixelBox(CGRect(x: 0, y: 0, width: width, height: height), in: tones))
        var prior = SubjectPrior(box: box)
        for y in 0..<height {
            for x in 0..<width {
                let (at, isHigh) = (y * width + x, (12..<33).contains(y))
                let (isBody, isHair) = (isHigh && (24..<44).contains(x), isHigh && (44..<56).contains(x))
                let colour: [UInt8] = isBody ? [150, 160, 150] : isHair ? [20, 140, 140] : [UInt8(100 + (x + y) % 5), 128, 128]
                for channel in 0..<3 { tones.bytes[3 * at + channel] = colour[channel] }
                prior.odds[at] = isBody ? 2 : isHair ? -1.3 : -3
                if isBody, (28..<40).contains(x) { prior.labels[at] = .object }
            }
        }
        let mask = try SubjectCut(tones: tones).mask(prior, weight: 3)
        #expect(mask.bounds == CGRect(x: 24, y: 12, width: 32, height: 21))
    }

    /// Grey stripes that meet at (160, `height`), or stripes that meet nowhere.
    private static func raster(meetingAt height: Double?) throws -> Raster {
        let picture = Pictures.picture(width, Self.height) { x, y in
            guard let height else { return (x + y) / 9 % 2 == 0 ? 60 : 160 }
            let angle = atan2(Double(y) + 0.5 - height, Double(x) - 159.5)
            return Int((angle * 9).rounded(.down)) % 2 == 0 ? 60 : 160
        }
        return try Raster(lumaOf: picture, width: 160, height: 90)
    }

    @Test("edges that meet tell the horizon, parallel ones do not", arguments: [40.0, 60, 90])
    func horizon(height: Double) throws {
        let found = try #require(VanishingPoint.horizon(in: Self.raster(meetingAt: height)))
        #expect(abs(found - height / 180) < 0.04)
        #expect(VanishingPoint.horizon(in: try Self.raster(meetingAt: nil)) == nil)
    }

    /// The map after a wall was seen alone for a while, in which somebody then stands for 25 pictures, with an arm stretched out where it is given. `wall`
    /// is its luma.
    private static func comingIn(after pictures: Int, arm: CGRect = .null, wall: (Int, Int) -> Int) throws -> DisparityMap {
        let estimator = try MonocularDepthEstimator()
        var map: DisparityMap?
        for index in 0..<pictures + 25 {
            let isThere = index >= pictures
            func isArm(_ x: Int, _ y: Int) -> Bool { isThere && arm.contains(CGPoint(x: x, y: y)) }
            let picture = Pictures.picture(
                width, height,
                luma: { x, y in
                    if isArm(x, y) { return 165 }
                    return (isThere ? figure(x, y)?.luma : nil) ?? wall(x, y) + (Pictures.speckle(x + 977 * index, y) - 120) / 40
                },
                chroma: { x, y in isArm(x, y) ? (112, 150) : (isThere ? figure(x, y)?.chroma : nil) ?? (128, 132) })
            map = try estimator.disparity(of: Pictures.frame(picture, index: index), detections: isThere ? faces : [])
        }
        return try #require(map)
    }

    @Test("an arm stretched out before a wall that was seen belongs to the person, as far as it reaches")
    func arm() throws {
        let arm = CGRect(x: 160, y: 50, width: 90, height: 7)
        let map = try Self.comingIn(after: 90, arm: arm) { x, y in 100 + Pictures.speckle(x / 6, y / 6) / 8 }
        let person = Self.value(map, 160, 25)
        for x in stride(from: 190, through: 230, by: 10) { #expect(Self.value(map, x, 53) > 0.9 * person, "at \(x)") }
        #expect(Self.value(map, 290, 30) < 0.5 * person)
    }

    @Test("where the background was seen, what is beside an outline is behind it at once")
    func seenBeside() throws {
        let map = try Self.comingIn(after: 90) { x, y in 100 + Pictures.speckle(x / 6, y / 6) / 8 }
        for x in stride(from: 192, through: 216, by: 4) { #expect(abs(Self.value(map, x, 60) - Self.value(map, 300, 60)) < 0.02, "at \(x)") }
    }

    @Test("what looks like the background may be a subject of its colours where it is plain, and not tone by tone")
    func camouflage() throws {
        let tones = Raster(width: 12, height: 5, channels: 3)
        for at in 0..<60 { (tones.bytes[3 * at], tones.bytes[3 * at + 1], tones.bytes[3 * at + 2]) = (at % 12 < 8 ? 40 : 80, 128, 128) }
        var prior = SubjectPrior(box: try #require(PixelBox(CGRect(x: 0, y: 0, width: 3, height: 5), in: tones)))
        prior.mark(width: 12) { _ in .object }
        let colours = FamiliarColours(of: prior, in: tones)
        var foreground = [Float](repeating: -1, count: 60)
        #expect((28..<33).map { colours.mayHide($0, in: tones, foreground) } == [true, true, true, false, false])
        // Beside it somebody stands in front.
        for at in 0..<60 where at % 12 >= 8 { foreground[at] = 1 }
        #expect(colours.mayHide(31, in: tones, foreground))
    }
}
