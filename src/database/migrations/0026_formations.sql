-- Companies that are being formed, and their papers.
create table formations (
  account_id text not null,
  id text not null,
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
  -- JSON of the tax numbers, encrypted, until they are filed.
  sealed_tax_numbers text,
  -- The price that its order shows as sold.
  price_variant text not null,
  -- How often it was submitted.
  submissions integer not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);

create index formations_by_checkout on formations (account_id, checkout);

create table formation_documents (
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

create index formation_documents_by_formation on formation_documents (account_id, formation);

-- Their bytes, which lists do not read.
create table formation_document_contents (
  account_id text not null,
  -- The document's own id.
  id text not null,
  base64 text not null,
  primary key (account_id, id)
);

-- The formation that a checkout pays.
alter table checkouts add column formation text;
