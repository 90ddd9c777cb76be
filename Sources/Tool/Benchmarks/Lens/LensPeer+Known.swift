extension LensPeer {
    /// Those a Linux user would pick, each with its radius scaled for its best picture.
    static var known: [LensPeer] { [varblur, lensBlur, defocus, composeBlur] }

    /// A box from a summed-area table. Its boxes are 3.8 times as wide as `max_r` says; equal spread asks for 0.21 of the disc's radius.
    private static var varblur: LensPeer {
        let log = ["-v", "error", "-nostdin", "-y"]
        @Sendable func scale(_ task: Task) -> (most: Int, part: Double) {
            let radius = 0.21 * task.largestRadius
            let most = max(Int(radius.rounded(.up)), 1)
            return (most, radius / Double(most))
        }
        @Sendable func raw(_ task: Task) -> [String] { ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-video_size", "\(task.width)x\(task.height)"] }
        return LensPeer(
            name: "ffmpeg varblur", program: "ffmpeg", signature: "ffmpeg version", package: "ffmpeg",
            draw: { task in
                let (most, part) = scale(task)
                let graph = "[0:v]format=gbrp[a];[1:v]format=gray,lut=y=val*\(part),format=gbrp[b];[a][b]varblur=min_r=0:max_r=\(most)"
                return log + ["-i", task.path("sharp.png"), "-i", task.path("radius.png"), "-filter_complex", graph]
                    + ["-frames:v", "1", "-update", "1", task.path("drawn.png")]
            },
            prepare: [
                { task in log + ["-i", task.path("sharp.png"), "-pix_fmt", "yuv420p", "-f", "rawvideo", task.path("sharp.yuv")] },
                { task in
                    let half = "scale=iw/2:ih/2,lut=y=val/2"
                    let graph = "[0:v]format=gray,lut=y=val*\(scale(task).part),split=3[y][a][b];[a]\(half)[u];[b]\(half)[v];"
                    return log + ["-i", task.path("radius.png"), "-filter_complex", graph + "[y][u][v]mergeplanes=0x001020:yuv420p"]
                        + ["-f", "rawvideo", task.path("radius.yuv")]
                },
            ],
            movie: { task, frames in
                log + ["-stream_loop", "\(frames - 1)"] + raw(task) + ["-i", task.path("sharp.yuv")] + raw(task) + ["-i", task.path("radius.yuv")]
                    + ["-filter_complex", "[0:v][1:v]varblur=min_r=0:max_r=\(scale(task).most)", "-f", "null", "-"]
            })
    }

    private static var lensBlur: LensPeer {
        LensPeer(
            name: "GEGL lens-blur", program: "gegl", signature: "", package: "gegl",
            draw: { task in
                [task.path("sharp.png"), "-o", task.path("drawn.png"), "--", "lens-blur", "radius=\(task.largestRadius)", "linear-mask=false"]
                    + ["aux=[", "load", "path=\(task.path("radius.png"))", "]"]
            })
    }

    private static var composeBlur: LensPeer {
        LensPeer(
            name: "ImageMagick blur", program: "convert", signature: "ImageMagick", package: "imagemagick",
            draw: { task in
                let sigma = task.largestRadius / 2
                return [
                    task.path("sharp.png"), task.path("radius.png"), "-define", "compose:args=\(sigma)x\(sigma)", "-compose", "blur", "-composite",
                ]
                    + [task.path("drawn.png")]
            })
    }
}
