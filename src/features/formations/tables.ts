/** The tables for formations that no noun declares. */
export interface FormationTables {
  formation_document_contents: { account_id: string; id: string; base64: string }
}
