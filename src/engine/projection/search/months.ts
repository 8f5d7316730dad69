// Counts by calendar month, in UTC.

export class Months {
  /** Keyed by the number of months since year 0. */
  private byMonth = new Map<number, number>();
  private undated = 0;

  add(time: number): void {
    if (Number.isNaN(time)) {
      this.undated++;
      return;
    }
    const date = new Date(time);
    const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
    this.byMonth.set(month, (this.byMonth.get(month) ?? 0) + 1);
  }

  /** Maps months such as `2024-05` to counts, in ascending order. "" is for records without a visible time. */
  counts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const [month, count] of [...this.byMonth].sort(([one], [other]) => one - other)) {
      counts.set(
        `${String(Math.floor(month / 12)).padStart(4, "0")}-${String((month % 12) + 1).padStart(2, "0")}`,
        count,
      );
    }
    if (this.undated > 0) counts.set("", this.undated);
    return counts;
  }
}
