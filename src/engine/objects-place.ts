// The configured storage for objects: the home, a folder shared by several machines, or S3-compatible storage.
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PdppError } from "../contract/errors.ts";
import { folderObjects } from "../store/object-folder.ts";
import { s3Objects } from "../store/object-s3.ts";
import { diskFailure, type ObjectPlace, type ObjectStorage, type S3Place } from "../store/objects.ts";

export { diskFailure, type ObjectPlace, type ObjectStorage };

const VARIABLE = "PDPP_OBJECTS";
const EXAMPLE = "s3://bucket/prefix?endpoint=https://s3.example.org&region=us-east-1";

export const homeObjects = (home: string): ObjectPlace => ({ kind: "home", root: home });

export const openObjects = (place: ObjectPlace): ObjectStorage =>
  place.kind === "s3" ? s3Objects(place) : folderObjects(place);

/**
 * Owners in one database share a home, a folder or a bucket, but never a file, because blobs are deleted with their
 * owner's last record.
 */
export function objectsOfOwner(place: ObjectPlace, subject: string): ObjectPlace {
  if (place.kind === "s3")
    return { ...place, prefix: `${place.prefix}${subject}/`, aside: homeOfOwner(place.aside, subject) };
  // A folder rather than a home, because several processes may share it.
  return { kind: "folder", root: homeOfOwner(place.root, subject) };
}

/** The directory for an owner's local files if the data is in a database: blobs, uploads, backups, disk indexes. */
export const homeOfOwner = (home: string, subject: string): string => join(home, subject);

/** Called once when a program starts. Everything else receives the result. */
export function objectsPlace(home: string, environment: NodeJS.ProcessEnv): ObjectPlace {
  const said = environment[VARIABLE] ?? "";
  if (said === "") return homeObjects(home);
  if (isAbsolute(said)) return { kind: "folder", root: said };
  const url = URL.parse(said);
  if (url?.protocol === "file:") return { kind: "folder", root: fileURLToPath(url) };
  if (url?.protocol === "s3:") return s3Place(home, url, environment);
  throw wrong(`${VARIABLE} must be the absolute path of a folder, or an address like ${EXAMPLE}`);
}

const PARAMETERS = ["endpoint", "region", "path_style"];

function s3Place(home: string, url: URL, environment: NodeJS.ProcessEnv): S3Place {
  // Keys in an address would end up in logs and process lists.
  if (url.username !== "" || url.password !== "")
    throw wrong(`${VARIABLE} must not contain keys; they have their own variables`);
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined)
    throw wrong(`${VARIABLE} has no parameter ${unknown}; the parameters are ${PARAMETERS.join(", ")}`);
  const bucket = url.hostname;
  if (bucket === "") throw wrong(`${VARIABLE} contains no bucket`);
  const region = url.searchParams.get("region") ?? environment.AWS_REGION ?? "us-east-1";
  const given = url.searchParams.get("endpoint");
  const endpoint = given ?? `https://s3.${region}.amazonaws.com`;
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ""))
    throw wrong(`${VARIABLE}: endpoint must be an http or https address`);
  const style = url.searchParams.get("path_style") ?? String(given !== null);
  if (style !== "true" && style !== "false") throw wrong(`${VARIABLE}: path_style must be true or false`);
  const parts = decodeURIComponent(url.pathname)
    .split("/")
    .filter((part) => part !== "");
  return {
    kind: "s3",
    endpoint,
    region,
    bucket,
    prefix: parts.map((part) => `${part}/`).join(""),
    pathStyle: style === "true",
    keyId: required(environment, "AWS_ACCESS_KEY_ID"),
    secret: required(environment, "AWS_SECRET_ACCESS_KEY"),
    ...(environment.AWS_SESSION_TOKEN ? { sessionToken: environment.AWS_SESSION_TOKEN } : {}),
    aside: home,
  };
}

function required(environment: NodeJS.ProcessEnv, name: string): string {
  const value = environment[name];
  if (value === undefined || value === "") throw wrong(`${VARIABLE} names a bucket, but ${name} is missing`);
  return value;
}

const wrong = (message: string): PdppError =>
  new PdppError("invalid_request", message, {
    param: VARIABLE,
    next_step: `Set ${VARIABLE}=${EXAMPLE} with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or leave it unset: files are then kept in the home.`,
  });
