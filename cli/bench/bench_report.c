#include "cli/bench/bench_report.h"

#include "cli/bench/measure/benches.h"
#include "core/json/json_text.h"
#include "replay/provider/provider.h"
#include "revision.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>

/* Statistics of the runs of one way. */
typedef struct Summary {
    double median, mean, deviation, least, most;
    double spread; /* half the distance from the first tenth to the last, over the median */
} Summary;

static Summary Summarise(const BenchWay *way) {
    const double *times = way->times;
    const int count = way->count;
    Summary sum = {.median = times[count / 2], .least = times[0], .most = times[count - 1]};
    for (int i = 0; i < count; i++)
        sum.mean += times[i] / count;
    for (int i = 0; i < count && count > 1; i++)
        sum.deviation += (times[i] - sum.mean) * (times[i] - sum.mean) / (count - 1);
    sum.deviation = sqrt(sum.deviation);
    if (sum.median > 0)
        sum.spread = (times[count - 1 - count / 10] - times[count / 10]) / 2 / sum.median;
    return sum;
}

void BenchReport_Begin(const BenchReport *report) {
    char processor[128], widths[64];
    if (report->silent)
        return;
    Provider_Processor(processor, sizeof processor);
    Bench_Widths(widths, sizeof widths);
    Visible_Print(stdout, "processor: %s; widths of vectors: %s\n", processor, widths);
    Visible_Print(stdout, "%s\n\n",
                  report->quick ? "quick: few runs of each way, after one that warms up"
                                : "medians of the runs of each way, after one that warms up");
    Visible_Print(stdout, "%-9s %-18s %10s %8s  %8s\n", "what", "by", "time", "+-", "as fast");
    fflush(stdout);
}

static const char *NameOf(const BenchSubject *subject, const BenchWay *ways, int i) {
    return i == 0 && subject->first ? subject->first : ways[i].name;
}

void BenchReport_Ways(BenchReport *report, const BenchSubject *subject, const BenchWay *ways,
                      int count) {
    const Summary first = Summarise(&ways[0]);
    for (int i = 0; i < count; i++) {
        const Summary sum = Summarise(&ways[i]);
        const double ratio = sum.median > 0 ? first.median / sum.median : 0;
        const bool noisy = sum.spread > BENCH_NOISE;
        if (!report->silent) {
            const char *what = i == 0 ? subject->what : "";
            char time[32], spread[32];
            double nanoseconds = sum.median;
            static const char *const units[] = {"ns", "us", "ms", "s"};
            int unit = 0;
            for (; nanoseconds >= 1000 && unit < 3; unit++)
                nanoseconds /= 1000;
            snprintf(time, sizeof time, "%.*f %s",
                     nanoseconds < 10    ? 2
                     : nanoseconds < 100 ? 1
                                         : 0,
                     nanoseconds, units[unit]);
            snprintf(spread, sizeof spread, "%.1f %%", 100 * sum.spread);
            Visible_Print(stdout, "%-9s %-18s %10s %8s%s %8.2f%s%s\n", i == 0 ? subject->name : "",
                          NameOf(subject, ways, i), time, spread, noisy ? "!" : " ", ratio,
                          *what ? "  " : "", what);
        }
        report->ways++;
        report->noisy += noisy;
        if (report->rows) {
            cJSON *row = cJSON_CreateObject();
            cJSON_AddStringToObject(row, "name", subject->name);
            cJSON_AddStringToObject(row, "what", subject->what);
            cJSON_AddStringToObject(row, "by", NameOf(subject, ways, i));
            cJSON_AddStringToObject(row, "unit", "ns");
            cJSON_AddNumberToObject(row, "median", sum.median);
            cJSON_AddNumberToObject(row, "mean", sum.mean);
            cJSON_AddNumberToObject(row, "deviation", sum.deviation);
            cJSON_AddNumberToObject(row, "min", sum.least);
            cJSON_AddNumberToObject(row, "max", sum.most);
            cJSON_AddNumberToObject(row, "spread", sum.spread);
            cJSON_AddNumberToObject(row, "ratio", ratio);
            cJSON_AddBoolToObject(row, "noisy", noisy);
            cJSON_AddItemToObject(row, "times",
                                  cJSON_CreateDoubleArray(ways[i].times, ways[i].count));
            cJSON_AddItemToArray(report->rows, row);
        }
    }
    fflush(stdout);
}

void BenchReport_End(const BenchReport *report) {
    if (report->silent)
        return;
    if (report->noisy > 0)
        Visible_Print(
            stdout,
            "\n%u of %u ways are too noisy (!): one run in five was further from the median "
            "than %.0f %%.\nThe machine does something else besides: run this again when "
            "it is quiet before you believe those rows.\n",
            report->noisy, report->ways, 100 * BENCH_NOISE);
    else
        Visible_Print(stdout, "\nthe machine was quiet: no way is too noisy\n");
}

RpStatus BenchReport_Json(BenchReport *report, RpBuffer *json, RpError *error) {
    char processor[128], widths[64];
    cJSON *root = cJSON_CreateObject();
    Provider_Processor(processor, sizeof processor);
    Bench_Widths(widths, sizeof widths);
    cJSON_AddStringToObject(root, "format", "retropose bench 1");
    cJSON_AddStringToObject(root, "version", RETROPOSE_BUILT);
    cJSON_AddStringToObject(root, "processor", processor);
    cJSON_AddStringToObject(root, "widths", widths);
    cJSON_AddBoolToObject(root, "quick", report->quick);
    cJSON_AddNumberToObject(root, "noisy", report->noisy);
    const bool good = cJSON_AddItemToObject(root, "rows", report->rows);
    report->rows = NULL;
    return JsonText_End(root, good, "the measurements", json, error);
}
