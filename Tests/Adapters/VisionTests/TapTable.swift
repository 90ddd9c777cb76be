/// Objects on the shared pictures whose boxes were drawn for this project, beside `gt/tapset.json`: harder ones, in company or before clutter.
enum TapTable {
    /// Picture (`#` and the frame of a clip), name, x, y, width, height (0…1), and where one taps when that is not the middle.
    static let text = """
        stills/3dogs.jpg black 0.33 0.21 0.14 0.39
        stills/3dogs.jpg small 0.46 0.45 0.19 0.22
        stills/3dogs.jpg brown 0.63 0.28 0.255 0.4
        stills/astronaut.png woman 0.03 0.02 0.7 0.98 0.37 0.65
        stills/astronaut.png rocket 0.72 0.02 0.18 0.55
        stills/astronaut.png helmet 0.56 0.67 0.44 0.33
        stills/chelsea.png cat 0 0 0.82 1
        stills/darknet_dog.jpg dog 0.175 0.4 0.235 0.54
        stills/darknet_dog.jpg bike 0.16 0.24 0.58 0.48 0.47 0.43
        stills/darknet_dog.jpg truck 0.615 0.15 0.295 0.13
        stills/darknet_person.jpg person 0.305 0.235 0.12 0.645
        stills/darknet_person.jpg dog 0.105 0.615 0.205 0.195
        stills/darknet_person.jpg horse 0.63 0.34 0.3 0.46
        stills/dlib_dogs.jpg l 0.1 0.52 0.35 0.48
        stills/dlib_dogs.jpg r 0.51 0.5 0.41 0.49
        stills/kitten_small.jpg cat 0.15 0.02 0.85 0.98
        stills/faces/2007_007763.jpg red 0.12 0.48 0.22 0.35
        stills/faces/2007_007763.jpg floral 0.27 0.53 0.23 0.43
        stills/faces/2007_007763.jpg pink 0.53 0.59 0.27 0.41
        stills/faces/2007_007763.jpg blue 0.36 0.21 0.19 0.45
        stills/faces/2008_001009.jpg front 0.17 0.38 0.68 0.62
        stills/faces/2008_001322.jpg left 0.11 0.36 0.31 0.64
        stills/faces/2008_001322.jpg woman 0.4 0.52 0.29 0.48
        stills/faces/2008_001322.jpg right 0.62 0.33 0.38 0.67
        stills/faces/2008_002079.jpg left 0 0.44 0.16 0.56
        stereo/teddy/im2.png bear 0.69 0.09 0.24 0.27
        stereo/teddy/im2.png green 0.1 0.7 0.47 0.3
        stereo/teddy/im2.png plant 0.68 0.63 0.32 0.34
        stereo/cones/im2.png mask 0.535 0.3 0.365 0.53
        stereo/cones/im2.png g1 0 0.68 0.13 0.315
        stereo/cones/im2.png g2 0.21 0.62 0.14 0.34
        stereo/cones/im2.png g3 0.45 0.6 0.2 0.36
        stereo/cones/im2.png sign 0.67 0.87 0.15 0.12
        stereo/venus/im2.png paper 0.62 0.42 0.38 0.58
        stereo/venus/im2.png poster 0 0.39 0.51 0.61
        stereo/barn2/im2.png spike 0.82 0.41 0.12 0.59
        stereo/tsukuba/im2.png head 0.305 0.49 0.21 0.39
        stereo/tsukuba/im2.png lamp 0.51 0.34 0.49 0.31 0.6 0.5
        rgbd/five_people_rgb.png p1 0.02 0.13 0.22 0.86
        rgbd/five_people_rgb.png p5 0.74 0.1 0.26 0.895
        rgbd/pug_1536x1152.jpg dog 0.115 0.48 0.545 0.51
        video/04_coffee.mp4#60 kettle 0.24 0.09 0.39 0.5
        video/04_coffee.mp4#60 mug 0.58 0.5 0.15 0.28
        video/04_coffee.mp4#120 mug 0.58 0.485 0.15 0.275
        video/klahaag_person_from_behind.avi#0 man 0.41 0.09 0.065 0.39
        video/klahaag_person_from_behind.avi#0 car 0.52 0.22 0.19 0.21
        video/klahaag_person_from_behind.avi#40 man 0.435 0.22 0.06 0.39
        video/intel_head-pose-face-detection-female.gif#0 woman 0.28 0.17 0.4 0.83
        video/intel_head-pose-face-detection-female.gif#14 woman 0.27 0.17 0.4 0.83
        video/intel_head-pose-face-detection-female-and-male.gif#0 w 0.095 0.185 0.345 0.815
        video/intel_head-pose-face-detection-female-and-male.gif#0 m 0.52 0.13 0.4 0.87
        video/intel_head-pose-face-detection-female-and-male.gif#30 w 0.05 0.275 0.39 0.725
        video/intel_head-pose-face-detection-female-and-male.gif#30 m 0.53 0.19 0.4 0.81
        video/intel_face-demographics-walking.gif#0 w 0.53 0.42 0.09 0.55
        video/intel_face-demographics-walking.gif#0 m 0.62 0.38 0.1 0.47
        video/intel_face-demographics-walking.gif#25 w 0.38 0.41 0.13 0.52
        video/intel_face-demographics-walking.gif#25 m 0.55 0.32 0.17 0.68
        """
}
