import { formations } from './resources/formation/operations.ts'
import { formationDocuments } from './resources/formation-document/operations.ts'

/** The resources of formations in the order of the catalogue. */
export const formationResources = [formations, formationDocuments] as const
