<?php
// Runs the example with the cases on stdin and prints whether it accepted each.
require $argv[1];
$told = [];
foreach (json_decode(file_get_contents('php://stdin'), true) as $case) {
    try {
        $told[] = verify($case['headers'], base64_decode($case['body']), $case['secret'])['id'];
    } catch (Throwable) {
        $told[] = null;
    }
}
echo json_encode($told);
