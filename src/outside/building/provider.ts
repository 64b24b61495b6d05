/** What is to be built. */
export interface SiteBrief {
  id: string
  name: string
  /** In the owner's words; null where the repository is all that there is. */
  prompt: string | null
  /** Where its code is, or is to be, as owner/name at GitHub; null when that is the builder's choice. */
  repository: string | null
  subdomain: string | null
}

/** One try at building: a run of the site's build task. */
export interface BuildRun {
  status: 'pending' | 'running' | 'needs_input' | 'completed' | 'failed' | 'canceled'
  /** What whoever carried it out says of it. */
  summary: string | null
}

export type BuildOutcome =
  | { state: 'queued' | 'building' | 'failed' }
  /** `url` is where the site can be visited, `repository` where its code is (owner/name); null what the builder did not say. */
  | { state: 'live'; url: string | null; repository: string | null }

/** Whoever builds sites. Only what a builder says makes a site live. */
export interface SiteBuilder {
  /** What the build task asks for. */
  instructionsFor(brief: SiteBrief): string
  /** What the newest run of the build task means for its site. */
  outcomeOf(run: BuildRun): BuildOutcome
}
