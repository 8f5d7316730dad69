// Nora's posts, as the archive of her Mastodon account.
import { dublin, iso } from "../clock.ts";
import type { DemoExport, DemoFile } from "../home.ts";
import { landscapePng } from "../pictures.ts";
import { createRandom } from "../random.ts";
import { kept, liked, type PostText, postTexts, reposted } from "../text/post-texts.ts";

const CONTEXT = "https://www.w3.org/ns/activitystreams";
const ACTOR = "https://tide.example/users/nora";
const PUBLIC = { to: [`${CONTEXT}#Public`], cc: [`${ACTOR}/followers`] };

export function postsExport(): DemoExport {
  return {
    key: "posts",
    display_name: "Tide",
    *files() {
      const actor = { id: ACTOR, type: "Person", preferredUsername: "nora", name: "Nora Keane" };
      yield json("actor.json", { "@context": CONTEXT, ...actor });
      yield json("outbox.json", collection([...postTexts.map(post), ...reposted.map(repost)]));
      yield json("likes.json", collection(liked));
      yield json("bookmarks.json", collection(kept));
      const random = createRandom("posts");
      for (const [index, { picture }] of postTexts.entries())
        if (picture !== undefined) yield { path: mediaPath(index), content: landscapePng(random, 240, 160) };
    },
  };
}

const json = (path: string, value: object): DemoFile => ({ path, content: JSON.stringify(value) });

const collection = (items: readonly unknown[]): object => ({
  "@context": CONTEXT,
  type: "OrderedCollection",
  totalItems: items.length,
  orderedItems: items,
});

const mediaPath = (index: number): string => `media_attachments/files/${index + 1}.png`;

function post({ at, text, tags = [], picture, answers, warning }: PostText, index: number): object {
  const [id, published] = [`${ACTOR}/statuses/${index + 1}`, iso(dublin(at))];
  const hashtags = tags
    .map(
      (tag) => ` <a href="https://tide.example/tags/${tag}" class="mention hashtag" rel="tag">#<span>${tag}</span></a>`,
    )
    .join("");
  const object = {
    id,
    type: "Note",
    published,
    url: `https://tide.example/@nora/${index + 1}`,
    content: `<p>${text}${hashtags}</p>`,
    attachment:
      picture === undefined
        ? []
        : [{ type: "Document", mediaType: "image/png", url: `/${mediaPath(index)}`, name: picture }],
    tag: tags.map((tag) => ({ type: "Hashtag", href: `https://tide.example/tags/${tag}`, name: `#${tag}` })),
    ...(answers === undefined ? {} : { inReplyTo: answers }),
    ...(warning === undefined ? {} : { summary: warning }),
    ...PUBLIC,
  };
  return { id: `${id}/activity`, type: "Create", actor: ACTOR, published, ...PUBLIC, object };
}

const repost = ([at, object]: readonly [string, string], index: number): object => ({
  id: `${ACTOR}/reposts/${index + 1}`,
  type: "Announce",
  actor: ACTOR,
  published: iso(dublin(at)),
  ...PUBLIC,
  object,
});
