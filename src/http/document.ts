import { openapi } from '../contract/openapi.ts'
import type { Pipeline } from '../pipeline/run.ts'

/** The OpenAPI document of everything the pipeline can run, as JSON text. */
export function apiDocument(pipeline: Pipeline, serverUrl: string, indent?: number): string {
  const { findNoun } = pipeline.presenter
  const nouns = pipeline.presenter.nouns()
  return JSON.stringify(openapi(pipeline.operations, nouns, findNoun, serverUrl), null, indent)
}
