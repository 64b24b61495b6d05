// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.28;

/// Several calls in one transaction, by the name that Multicall3 has for it.
contract Bundle {
    struct Call {
        address target;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function tryAggregate(bool requireSuccess, Call[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (bool success, bytes memory returnData) = calls[i].target.call(calls[i].callData);
            require(success || !requireSuccess, "Bundle: a call failed");
            results[i] = Result(success, returnData);
        }
    }
}
