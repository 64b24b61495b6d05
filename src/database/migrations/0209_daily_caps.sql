-- The daily caps of a token as JSON: credits, emails, refunds, and the currency of refunds; null without caps.
alter table api_tokens add column caps text;

-- The use of tokens with caps, by UTC day.
create table token_uses (
  account_id text not null,
  token_id text not null,
  day text not null,
  credits bigint not null,
  emails bigint not null,
  refunds bigint not null,
  primary key (account_id, token_id, day)
);
create index token_uses_by_day on token_uses (day);

-- The tokens and the day that reserved credits were counted for, as JSON; null without caps.
alter table credit_entries add column counted text;
