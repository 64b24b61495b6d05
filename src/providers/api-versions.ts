interface ApiVersion {
  version: string
  /** The release date of the version; if it has no successors, the date on which its documentation was last read. */
  date: string
}

/** The API versions that this release uses. The build of a release fails if one of them is more than ten months old. */
export const API_VERSIONS = {
  linkedIn: { version: '202607', date: '2026-07-01' },
  metaGraph: { version: 'v25.0', date: '2026-02-18' },
  threads: { version: 'v1.0', date: '2026-11-27' },
  stripe: { version: '2026-10-28.endive', date: '2026-10-28' },
  tiktok: { version: 'v2', date: '2026-11-27' },
  youtube: { version: 'v3', date: '2026-11-27' },
  pinterest: { version: 'v5', date: '2026-11-27' },
  x: { version: '2', date: '2026-11-27' },
} as const satisfies Record<string, ApiVersion>
