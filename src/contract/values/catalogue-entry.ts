import type { Json } from './json.ts'

/** An operation of the catalogue, as the Ruby method `tools` shows it. The keys in `parameters` and `request_body` are strings. */
export interface Tool {
  method: string
  path: string
  summary: string
  description: string
  tags: string[]
  parameters: Json[]
  request_body: Json
}
