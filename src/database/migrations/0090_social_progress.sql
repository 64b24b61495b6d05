-- What an adapter keeps of a post on its way, such as the address of an upload, encrypted.
alter table social_deliveries add column progress text;
