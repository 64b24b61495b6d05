/** Where a record is. */
export interface Place {
  repo: string
  collection: string
  rkey: string
}

/** The place that an address such as `at://did:plc:…/app.bsky.feed.post/3k…` names. */
export function placeOf(uri: string): Place {
  const [, , repo = '', collection = '', rkey = ''] = uri.split('/')
  return { repo, collection, rkey }
}
