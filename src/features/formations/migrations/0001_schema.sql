-- Databases of earlier versions have these tables from their baseline, so nothing is made twice.

create table if not exists formations (
  account_id text not null,
  id text not null,
  -- The user who started it.
  founder text,
  entity_type text not null,
  state text not null,
  naics_code text not null,
  description text not null,
  name_options text not null,
  members text not null,
  responsible_party text not null,
  mailing_address text not null,
  status text not null,
  payment_status text not null,
  amount integer not null,
  currency text not null,
  checkout text,
  paid_inline integer not null,
  ein text,
  formation_filing_date text,
  admin_notes text not null,
  provider_error text,
  submitted_at text,
  -- JSON of the tax numbers, until they are filed.
  sealed_tax_numbers text,
  -- How often it was submitted.
  submissions integer not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create index if not exists formations_by_checkout on formations (account_id, checkout);

create table if not exists formation_documents (
  account_id text not null,
  id text not null,
  formation text not null,
  document_type text not null,
  name text not null,
  content_type text not null,
  size integer not null,
  created_at text not null,
  primary key (account_id, id)
);
create index if not exists formation_documents_by_formation on formation_documents (account_id, formation);

-- The bytes of documents, which lists do not read.
create table if not exists formation_document_contents (
  account_id text not null,
  -- The document's own id.
  id text not null,
  base64 text not null,
  primary key (account_id, id)
);
