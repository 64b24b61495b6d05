-- The version of a network's API that the network no longer took from an account.
alter table social_accounts add column ended_version text;
