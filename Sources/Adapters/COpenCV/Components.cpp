#include "ExceptionBoundary.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>

using namespace rackfocus;

extern "C" int rf_component(rf_image *mask, int x, int y, rf_rect *bounds, int *size) {
    return catchingExceptions([&] {
        cv::Mat picture = mat(mask), labels, stats, centres, closed;
        const cv::Mat disc = cv::getStructuringElement(cv::MORPH_ELLIPSE, cv::Size(3, 3));
        cv::morphologyEx(picture, closed, cv::MORPH_OPEN, disc);
        cv::morphologyEx(closed, closed, cv::MORPH_CLOSE, disc);
        cv::connectedComponentsWithStats(closed, labels, stats, centres, 4);
        int wanted = 0, nearest = 26;
        for (int j = std::max(0, y - 5); j <= std::min(picture.rows - 1, y + 5); j++)
            for (int i = std::max(0, x - 5); i <= std::min(picture.cols - 1, x + 5); i++) {
                const int distance = (i - x) * (i - x) + (j - y) * (j - y);
                if (labels.at<int>(j, i) != 0 && distance < nearest) {
                    nearest = distance;
                    wanted = labels.at<int>(j, i);
                }
            }
        *size = 0;
        *bounds = {0, 0, 0, 0};
        picture.setTo(0);
        if (wanted == 0)
            return;
        picture.setTo(255, labels == wanted);
        const int *row = stats.ptr<int>(wanted);
        *bounds = {double(row[cv::CC_STAT_LEFT]), double(row[cv::CC_STAT_TOP]), double(row[cv::CC_STAT_WIDTH]), double(row[cv::CC_STAT_HEIGHT])};
        *size = row[cv::CC_STAT_AREA];
    });
}
