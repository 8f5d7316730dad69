// Online orders with nested items, and receipts kept as files.
import type { JsonObject } from "../../contract/record.ts";
import { iso, isoDay, longDate } from "../clock.ts";
import {
  blobRef,
  choice,
  count,
  currency,
  declareSource,
  instant,
  list,
  money,
  nullable,
  object,
  ranges,
  schema,
  selectable,
  text,
} from "../declare.ts";
import {
  type DemoBlob,
  type DemoConnection,
  type DemoSource,
  demoBlob,
  type Line,
  lazy,
  refData,
  stream,
} from "../home.ts";
import { occasions } from "../occasions.ts";
import { nameOf } from "../people.ts";
import { receiptPdf, receiptSvg } from "../pictures.ts";
import { MOVING_DAY, NEW_FLAT, OLD_FLAT } from "../places.ts";
import { type Purchase, purchases } from "../purchases.ts";

export const shopping: DemoSource = {
  connector_key: "shopping",
  declaration: declareSource("shopping", "Shopping", [
    {
      name: "orders",
      description: "Online orders, updated when they ship and arrive.",
      display: { label: "Orders", detail: "Articles, prices, addresses and parcels" },
      semantics: "mutable_state",
      schema: schema("Order", {
        id: text("Order number", "Number the shop gave."),
        shop: text("Shop", "Name of the shop."),
        summary: text("Summary", "Names of the articles."),
        status: choice("Status", "How far it is.", ["placed", "shipped", "delivered"]),
        ordered_at: instant("Ordered", "When it was placed."),
        total: money("Total", "Sum paid, postage included."),
        currency,
        item_count: count("Articles", "Number of lines."),
        items: list(
          "Items",
          "What was ordered.",
          object({
            sku: text("Article number", "The shop's number."),
            name: text("Name", "The article."),
            quantity: count("Quantity", "How many."),
            unit_price: money("Price", "Price of one."),
          }),
        ),
        delivery: {
          ...object({
            address: object({ name: text("Name", "Recipient."), line: text("Address", "Street and town.") }),
            carrier: text("Carrier", "Who brings it."),
            tracking_number: nullable(text("Tracking number", "Number of the parcel.")),
            cost: money("Postage", "Cost of delivery."),
            steps: list(
              "Steps",
              "Way of the parcel.",
              object({ status: text("Status", "What happened."), at: instant("At", "When.") }),
            ),
          }),
          title: "Delivery",
          description: "Where it goes and how.",
        },
        note: nullable(text("Note", "What Nora told the shop.")),
        updated_at: instant("Updated", "Last change."),
      }),
      primary_key: ["id"],
      cursor_field: "ordered_at",
      consent_time_field: "ordered_at",
      selection: selectable,
      views: [
        {
          id: "amounts",
          label: "Shops and totals",
          fields: ["id", "shop", "ordered_at", "total", "currency", "status"],
        },
      ],
      relationships: [{ name: "receipts", stream: "receipts", foreign_key: "order_id", cardinality: "has_many" }],
      query: {
        range_filters: ranges("ordered_at", "total", "item_count", "updated_at"),
        expand: [{ name: "receipts", default_limit: 5, max_limit: 20 }],
        search: { lexical_fields: ["summary", "shop", "note"] },
        aggregations: {
          count: true,
          count_distinct: ["shop"],
          group_by: ["shop", "status", "currency"],
          group_by_time: ["ordered_at"],
          sum: ["total", "item_count"],
          avg: ["total"],
          min: ["total"],
          max: ["total"],
        },
      },
    },
    {
      name: "receipts",
      description: "Receipts as files: PDF from shops, SVG scans from restaurants, plain text from cinemas.",
      display: { label: "Receipts", detail: "The file and what it says" },
      semantics: "append_only",
      schema: schema("Receipt", {
        id: text("Id", "Stable id of the receipt."),
        title: text("Title", "Merchant and date."),
        merchant: text("Merchant", "Who was paid."),
        order_id: nullable(text("Order number", "The order it belongs to, if any.")),
        total: money("Total", "Sum on the receipt."),
        currency,
        text: text("Text", "What the receipt says."),
        issued_at: instant("Issued", "Date of the receipt."),
        file: blobRef("File", "The receipt itself."),
      }),
      primary_key: ["id"],
      cursor_field: "issued_at",
      consent_time_field: "issued_at",
      selection: selectable,
      views: [
        { id: "amounts", label: "Merchants and totals", fields: ["id", "merchant", "total", "currency", "issued_at"] },
      ],
      relationships: [{ name: "order", stream: "orders", foreign_key: "order_id", cardinality: "has_one" }],
      query: {
        range_filters: ranges("issued_at", "total"),
        expand: [{ name: "order" }],
        search: { lexical_fields: ["title", "text", "merchant"] },
        aggregations: {
          count: true,
          count_distinct: ["merchant"],
          group_by: ["merchant", "currency"],
          group_by_time: ["issued_at"],
          sum: ["total"],
          avg: ["total"],
          max: ["total"],
        },
      },
    },
  ]),
};

export function shoppingConnections(): DemoConnection[] {
  const receipts = lazy(makeReceipts);
  return [
    {
      ...shopping,
      key: "shopping",
      display_name: "Orders and receipts",
      streams: [
        stream("orders", orderLines),
        stream(
          "receipts",
          () => receipts().map((receipt) => receipt.line),
          () => receipts().map((receipt) => receipt.blob),
        ),
      ],
    },
  ];
}

function orderLines(): Line[] {
  return purchases().flatMap((order) => [
    { id: order.id, at: order.ordered, data: orderData(order, "placed") },
    { id: order.id, at: order.shipped, data: orderData(order, "shipped") },
    { id: order.id, at: order.delivered, data: orderData(order, "delivered") },
  ]);
}

function orderData(order: Purchase, status: "placed" | "shipped" | "delivered"): JsonObject {
  const steps = [
    { status: "placed", at: order.ordered },
    { status: "shipped", at: order.shipped },
    { status: "delivered", at: order.delivered },
  ];
  const reached = steps.slice(0, steps.findIndex((step) => step.status === status) + 1);
  return {
    id: order.id,
    shop: nameOf(order.shop),
    summary: order.items.map((item) => item.name).join("; "),
    status,
    ordered_at: iso(order.ordered),
    total: order.total,
    currency: "EUR",
    item_count: order.items.length,
    items: order.items.map((item) => ({ ...item })),
    delivery: {
      address: { name: "Nora Keane", line: isoDay(order.ordered) < MOVING_DAY ? OLD_FLAT : NEW_FLAT },
      carrier: order.carrier,
      tracking_number: status === "placed" ? null : order.tracking,
      cost: order.shipping,
      steps: reached.map((step) => ({ status: step.status, at: iso(step.at) })),
    },
    note: order.note ?? null,
    updated_at: iso(reached.at(-1)!.at),
  };
}

interface Receipt {
  line: Line;
  blob: DemoBlob;
}

function makeReceipts(): Receipt[] {
  const fromOrders = purchases().map((order) => {
    const rows = order.items.map(
      (item) => `${item.quantity} x ${item.name}  ${(item.quantity * item.unit_price).toFixed(2)}`,
    );
    const lines = [
      nameOf(order.shop),
      `Order ${order.id}, ${longDate(isoDay(order.ordered))}`,
      ...rows,
      `Postage  ${order.shipping.toFixed(2)}`,
      `Total EUR  ${order.total.toFixed(2)}`,
    ];
    return receipt(
      `rc-${order.id}`,
      nameOf(order.shop),
      order.id,
      order.total,
      lines,
      order.ordered,
      "application/pdf",
    );
  });
  const fromOccasions = occasions().flatMap(({ id, paid, end, title }) => {
    if (!paid) return [];
    const mime = paid.category === "dining" ? "image/svg+xml" : "text/plain";
    const lines = [
      paid.counterparty,
      longDate(isoDay(end)),
      title,
      `Total EUR  ${paid.amount.toFixed(2)}`,
      "Thank you!",
    ];
    return [receipt(`rc-${id}`, paid.counterparty, null, paid.amount, lines, end, mime)];
  });
  return [...fromOrders, ...fromOccasions];
}

function receipt(
  id: string,
  merchant: string,
  orderId: string | null,
  total: number,
  lines: string[],
  at: number,
  mime: string,
): Receipt {
  const bytes =
    mime === "application/pdf"
      ? receiptPdf(lines)
      : mime === "image/svg+xml"
        ? receiptSvg(lines)
        : Buffer.from(lines.join("\n"));
  const blob = demoBlob(id, mime, bytes);
  const data: JsonObject = {
    id,
    title: `${merchant}, ${longDate(isoDay(at))}`,
    merchant,
    order_id: orderId,
    total,
    currency: "EUR",
    text: lines.join("\n"),
    issued_at: iso(at),
    file: refData(blob),
  };
  return { line: { id, at, data }, blob };
}
