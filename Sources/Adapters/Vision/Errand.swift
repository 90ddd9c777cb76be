import Foundation

/// A search that goes on beside the frames: what it looks at, and the way from there to the frame in which it is done.
struct Errand {
    let picture: ReducedPicture
    private let aside: Aside<Searcher.Finds>

    /// Both halves of a search, one after the other, on another thread, which frames go before.
    init(_ searcher: Searcher, tracks: [Track], turn: [Int], picture: ReducedPicture, frame: Int, time: Int64, seeksCats: Bool) {
        self.picture = picture
        let far = searcher.farLook(picture, time: time)
        nonisolated(unsafe) let tracks = tracks
        aside = Aside(givesWay: true) { () throws(VisionError) in
            let near = try searcher.look(after: tracks, turn: turn, picture: picture, frame: frame, seeksCats: seeksCats)
            let (hits, sightings) = try far()
            return (Hit.withoutDuplicates(near + hits), sightings)
        }
    }

    var isDone: Bool { aside.isDone }
    func join() { aside.join() }

    /// What was found, where it is in `now`: flow takes each box from the picture that was searched to the present one.
    func finds(in now: ReducedPicture) throws(VisionError) -> Searcher.Finds {
        var (hits, sightings) = try aside.value()
        let flow = try Flow()
        try flow.push(picture.luma)
        try flow.push(now.luma)
        for index in hits.indices { hits[index].box = try flow.carry(hits[index].box) }
        if var moved = sightings {
            for index in moved.indices { moved[index].box = try flow.carry(moved[index].box) }
            sightings = moved
        }
        return (hits, sightings)
    }
}
