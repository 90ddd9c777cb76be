import Foundation
import Support

/// Search that goes on beside the frames: the picture it searches, and the way from there to the frame in which it is done.
struct BackgroundSearch {
    let picture: ReducedPicture
    private let task: ConcurrentTask<Searcher.Finds, VisionError>

    /// All parts of a search, one after the other, on another thread, which frames go before.
    init(_ searcher: Searcher, tracks: [Track], due: [Int], picture: ReducedPicture, frame: Int, time: Int64, runsCascadeSweep: Bool) {
        self.picture = picture
        let far = searcher.makeFullFrameSearch(picture, time: time, isWhole: false)
        nonisolated(unsafe) let tracks = tracks
        task = ConcurrentTask(givesWay: true) { () throws(VisionError) in
            let near = try searcher.verify(tracks, due: due, picture: picture, frame: frame)
            let swept = runsCascadeSweep ? try searcher.sweep(picture, isWhole: false) : []
            let (hits, sightings) = try far()
            return (searcher.suppressingNonMaxima(near + swept + hits), sightings)
        }
    }

    var isDone: Bool { task.isDone }
    func join() { task.join() }

    /// Finds with their boxes in `now`: flow carries each from the picture that was searched to the present one.
    func finds(in now: ReducedPicture) throws(VisionError) -> Searcher.Finds {
        var (hits, sightings) = try task.value()
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
