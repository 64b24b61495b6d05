create table emails (
  account_id text not null,
  id text not null,
  "to" text not null,
  customer text,
  subject text not null,
  html text,
  text text,
  status text not null,
  reply_to text,
  sent_at text,
  error_message text,
  metadata text not null,
  from_name text not null,
  from_address text not null,
  created_at text not null,
  primary key (account_id, id)
);

create index emails_created on emails (created_at);
