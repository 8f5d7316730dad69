// Prometheus' text format 0.0.4: counters, gauges and histograms, and their encoding.

type Labels = Readonly<Record<string, string>>;

export interface PrometheusMetric {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  samples(): Sample[];
}

interface Sample {
  /** The suffix of the metric's name: `_bucket`, `_sum`, `_count`. */
  suffix?: string;
  labels?: Labels;
  value: number;
}

export interface Counter extends PrometheusMetric {
  add(labels: Labels, by?: number): void;
}

export function counter(name: string, help: string): Counter {
  const series = new Map<string, { labels: Labels; value: number }>();
  return {
    name,
    help,
    type: "counter",
    add(labels, by = 1) {
      const key = labelText(labels);
      const found = series.get(key);
      if (found === undefined) series.set(key, { labels, value: by });
      else found.value += by;
    },
    samples: () => [...series.values()],
  };
}

export interface Histogram extends PrometheusMetric {
  observe(labels: Labels, value: number): void;
}

/** `bounds` are in ascending order. Larger values count only towards +Inf. */
export function histogram(name: string, help: string, bounds: readonly number[]): Histogram {
  const series = new Map<string, { labels: Labels; counts: number[]; sum: number; count: number }>();
  return {
    name,
    help,
    type: "histogram",
    observe(labels, value) {
      const key = labelText(labels);
      let found = series.get(key);
      if (found === undefined) {
        found = { labels, counts: bounds.map(() => 0), sum: 0, count: 0 };
        series.set(key, found);
      }
      const bucket = bounds.findIndex((bound) => value <= bound);
      if (bucket >= 0) found.counts[bucket]!++;
      found.sum += value;
      found.count++;
    },
    samples: () =>
      [...series.values()].flatMap(({ labels, counts, sum, count }) => {
        let below = 0;
        const buckets = bounds.map((bound, index) => {
          below += counts[index]!;
          return { suffix: "_bucket", labels: { ...labels, le: String(bound) }, value: below };
        });
        return [
          ...buckets,
          { suffix: "_bucket", labels: { ...labels, le: "+Inf" }, value: count },
          { suffix: "_sum", labels, value: sum },
          { suffix: "_count", labels, value: count },
        ];
      }),
  };
}

/** A metric that is computed whenever metrics are written. */
export function measured(
  type: "counter" | "gauge",
  name: string,
  help: string,
  samples: PrometheusMetric["samples"],
): PrometheusMetric {
  return { name, help, type, samples };
}

export const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export function render(metrics: readonly PrometheusMetric[]): string {
  return metrics
    .map(({ name, help, type, samples }) => {
      const lines = samples().map(
        ({ suffix = "", labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${numberText(value)}\n`,
      );
      return `# HELP ${name} ${help.replace(/[\\\n]/g, escaped)}\n# TYPE ${name} ${type}\n${lines.join("")}`;
    })
    .join("");
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\\n"]/g, escaped)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escaped = (character: string): string => (character === "\n" ? "\\n" : `\\${character}`);

/** JavaScript formats numbers as Go reads them, except for infinity. */
const numberText = (value: number): string =>
  Number.isFinite(value) || Number.isNaN(value) ? String(value) : value > 0 ? "+Inf" : "-Inf";
