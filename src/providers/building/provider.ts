import type { Models, ModelUse } from '../models/provider.ts'

export interface SiteBrief {
  id: string
  name: string
  /** The owner's text; null if there is only a repository. */
  prompt: string | null
  /** The repository for its code, as owner/name; null if the builder chooses. */
  repository: string | null
  subdomain: string | null
}

/** A picture of the shop, with its bytes. */
export interface ShopPicture {
  bytes: Uint8Array
  /** An image type that browsers display. */
  contentType: string
  alternative: string
}

export interface ShopProduct {
  name: string
  /** In plain text; empty if there is none. */
  description: string
  /** Such as `$18.00 every month`; empty if it is not for sale. */
  price: string
  url: string
  picture: ShopPicture | null
}

/** The public details of the shop. */
export interface ShopWindow {
  name: string
  description: string | null
  email: string | null
  url: string
  products: ShopProduct[]
  /** Other public pages of the shop: its blog and its legal pages. */
  links: { title: string; url: string }[]
}

export interface SiteFile {
  /** Such as `assets/style.css`, in the form that `pathProblem` accepts. */
  path: string
  bytes: Uint8Array
}

export interface BuildOrder {
  brief: SiteBrief
  shop: ShopWindow
  /** The model that writes the site, with its maximum number of tokens; null if no model may be used. */
  model: { models: Models; tokens: number } | null
  signal: AbortSignal
}

export interface BuiltSite extends ModelUse {
  files: SiteFile[]
  /** Notes for the owner, such as about a foreign script that does not run. */
  notes: string[]
}

/** The site could not be built. Each problem is a sentence that says what would be right. */
export class BuildFailedError extends Error {
  override name = 'BuildFailedError'
  readonly problems: string[]
  readonly use: ModelUse

  constructor(problems: string[], use: ModelUse = { inputTokens: 0, outputTokens: 0 }) {
    super(problems.join(' '))
    this.problems = problems
    this.use = use
  }
}

export interface SiteBuilder {
  readonly name: string
  instructionsFor(brief: SiteBrief): string
  /** Builds the site within this service; null if the build task waits for an agent or a person. */
  readonly work: BuilderWork | null
}

export interface BuilderWork {
  /** `shortly` takes seconds, `long` minutes. */
  readonly lasts: 'shortly' | 'long'
  /** The maximum number of tokens of a model for one build; null if it uses no model. */
  readonly tokens: number | null
  /** Called only by jobs. Rejects with BuildFailedError, or if it was aborted. */
  build(order: BuildOrder): Promise<BuiltSite>
}

/** An agent's report about a completed build; null for missing values. */
export interface BuildReport {
  url: string | null
  /** The repository of its code, as owner/name. */
  repository: string | null
}

export interface SiteBuilders {
  /** Returns the builder for a brief, for an account with or without a model. */
  find(brief: Pick<SiteBrief, 'prompt' | 'repository'>, has: { model: boolean }): SiteBuilder
  /** Parses the summary of a run that an agent completed. */
  readReport(summary: string | null): BuildReport
}
