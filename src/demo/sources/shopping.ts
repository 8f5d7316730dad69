// Online orders with nested items, and receipts kept as files.
import type { JsonObject } from "../../contract/record.ts";
import { hasMany, hasOne, recordSchema } from "../../core/declare.ts";
import { iso, isoDay, longDate } from "../clock.ts";
import { declareSource, field } from "../declare.ts";
import {
  type DemoBlob,
  type DemoConnection,
  type DemoRecord,
  type DemoSource,
  demoBlob,
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
      schema: recordSchema("Order", {
        id: field.text("Order number", "Number the shop gave."),
        shop: field.text("Shop", "Name of the shop."),
        summary: field.text("Summary", "Names of the articles."),
        status: field.choice("Status", "How far it is.", ["placed", "shipped", "delivered"]),
        ordered_at: field.instant("Ordered", "When it was placed."),
        total: field.number("Total", "Sum paid, postage included."),
        currency: field.currency,
        item_count: field.count("Articles", "Number of lines."),
        items: field.list(
          "Items",
          "What was ordered.",
          field.object({
            sku: field.text("Article number", "The shop's number."),
            name: field.text("Name", "The article."),
            quantity: field.count("Quantity", "How many."),
            unit_price: field.number("Price", "Price of one."),
          }),
        ),
        delivery: {
          ...field.object({
            address: field.object({
              name: field.text("Name", "Recipient."),
              line: field.text("Address", "Street and town."),
            }),
            carrier: field.text("Carrier", "Who brings it."),
            tracking_number: field.nullable(field.text("Tracking number", "Number of the parcel.")),
            cost: field.number("Postage", "Cost of delivery."),
            steps: field.list(
              "Steps",
              "Way of the parcel.",
              field.object({ status: field.text("Status", "What happened."), at: field.instant("At", "When.") }),
            ),
          }),
          title: "Delivery",
          description: "Where it goes and how.",
        },
        note: field.nullable(field.text("Note", "What Nora told the shop.")),
        updated_at: field.instant("Updated", "Last change."),
      }),
      time: "ordered_at",
      views: [
        {
          id: "amounts",
          label: "Shops and totals",
          fields: ["id", "shop", "ordered_at", "total", "currency", "status"],
        },
      ],
      related: { receipts: hasMany("receipts", "order_id", 20, 5) },
      ranges: ["ordered_at", "total", "item_count", "updated_at"],
      search: ["summary", "shop", "note"],
      aggregations: {
        count_distinct: ["shop"],
        group_by: ["shop", "status", "currency"],
        group_by_time: ["ordered_at"],
        sum: ["total", "item_count"],
        avg: ["total"],
        min: ["total"],
        max: ["total"],
      },
    },
    {
      name: "receipts",
      description: "Receipts as files: PDF from shops, SVG scans from restaurants, plain text from cinemas.",
      display: { label: "Receipts", detail: "The file and what it says" },
      semantics: "append_only",
      schema: recordSchema("Receipt", {
        id: field.text("Id", "Stable id of the receipt."),
        title: field.text("Title", "Merchant and date."),
        merchant: field.text("Merchant", "Who was paid."),
        order_id: field.nullable(field.text("Order number", "The order it belongs to, if any.")),
        total: field.number("Total", "Sum on the receipt."),
        currency: field.currency,
        text: field.text("Text", "What the receipt says."),
        issued_at: field.instant("Issued", "Date of the receipt."),
        file: field.blobRef("File", "The receipt itself."),
      }),
      time: "issued_at",
      views: [
        { id: "amounts", label: "Merchants and totals", fields: ["id", "merchant", "total", "currency", "issued_at"] },
      ],
      related: { order: hasOne("orders", "order_id") },
      ranges: ["issued_at", "total"],
      search: ["title", "text", "merchant"],
      aggregations: {
        count_distinct: ["merchant"],
        group_by: ["merchant", "currency"],
        group_by_time: ["issued_at"],
        sum: ["total"],
        avg: ["total"],
        max: ["total"],
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

function orderLines(): DemoRecord[] {
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
  line: DemoRecord;
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
