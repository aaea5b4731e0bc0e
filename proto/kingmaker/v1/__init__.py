"""The wire contract: classes generated from the .proto files beside this one."""
