// P-07: tests the text format byte for byte.
import { expect, it } from "vitest";
import { counter, histogram, measured, render } from "./prometheus.ts";

it("P-07 writes metrics in Prometheus' text format", () => {
  const requests = counter("requests_total", "Requests.\nAll \\ of them.");
  requests.add({ route: 'a"b\\c\nd', method: "GET" });
  requests.add({ route: 'a"b\\c\nd', method: "GET" }, 2);
  requests.add({ route: "/", method: "POST" });
  const seconds = histogram("seconds", "How long.", [0.1, 1]);
  for (const value of [0.05, 0.1, 0.5, 7]) seconds.observe({ route: "/" }, value);
  const extremes = measured("gauge", "extremes", "Both.", () => [
    { labels: { at: "top" }, value: Number.POSITIVE_INFINITY },
    { labels: { at: "bottom" }, value: Number.NEGATIVE_INFINITY },
    { labels: { at: "nowhere" }, value: Number.NaN },
    { value: 1e-7 },
  ]);
  expect(render([requests, seconds, extremes, counter("quiet_total", "Nothing yet.")])).toBe(
    `# HELP requests_total Requests.\\nAll \\\\ of them.
# TYPE requests_total counter
requests_total{route="a\\"b\\\\c\\nd",method="GET"} 3
requests_total{route="/",method="POST"} 1
# HELP seconds How long.
# TYPE seconds histogram
seconds_bucket{route="/",le="0.1"} 2
seconds_bucket{route="/",le="1"} 3
seconds_bucket{route="/",le="+Inf"} 4
seconds_sum{route="/"} 7.65
seconds_count{route="/"} 4
# HELP extremes Both.
# TYPE extremes gauge
extremes{at="top"} +Inf
extremes{at="bottom"} -Inf
extremes{at="nowhere"} NaN
extremes 1e-7
# HELP quiet_total Nothing yet.
# TYPE quiet_total counter
`,
  );
});
