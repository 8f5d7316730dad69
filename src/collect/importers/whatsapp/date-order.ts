// Decides whether 2/11/19 is in February or November: by any day above 12, or else by the order of the messages.
import { type ChatDateOrder, dateOf, isYearFirst, type MessageHeader } from "./header.ts";

export interface DateEvidence {
  see(header: MessageHeader): void;
  /** Returns undefined if it cannot be determined. */
  order(): ChatDateOrder | undefined;
}

export function dateEvidence(): DateEvidence {
  let firstBig = 0;
  let secondBig = 0;
  let yearFirst = false;
  let slash = true;
  const back = { dmy: 0, mdy: 0 };
  const last = { dmy: 0, mdy: 0 };
  return {
    see(header) {
      if (isYearFirst(header)) {
        yearFirst = true;
        return;
      }
      slash = header.separator === "/";
      const [first, second] = header.numbers;
      if (Number(first) > 12) firstBig++;
      if (Number(second) > 12) secondBig++;
      for (const order of ["dmy", "mdy"] as const) {
        const [year, month, day] = dateOf(header, order);
        const date = (year * 100 + month) * 100 + day;
        if (date < last[order]) back[order]++;
        last[order] = date;
      }
    },
    order() {
      if (yearFirst) return "ymd";
      if (firstBig !== secondBig) return firstBig > secondBig ? "dmy" : "mdy";
      // No language that separates dates with dots or dashes puts the month first.
      if (!slash) return "dmy";
      if (back.dmy === 0 && back.mdy > 0) return "dmy";
      return back.mdy === 0 && back.dmy > 0 ? "mdy" : undefined;
    },
  };
}
